// The graphs as ways to move through the game.
import { shape } from "./dom.js";

export class Graph {
  /** `go` is called with the half-move that is chosen; `tell` says what a half-move is. */
  constructor(picture, length, go, tell) {
    this.length = length;
    this.tell = tell;
    this.frame = document.createElement("div");
    this.frame.className = "graph-frame";
    picture.replaceWith(this.frame);
    this.cursor = shape("line", { class: "cursor", y1: 0, y2: "100%" });
    picture.append(this.cursor);
    this.tip = document.createElement("span");
    this.tip.className = "tip";
    this.tip.hidden = true;
    this.tip.setAttribute("aria-hidden", "true");
    this.frame.append(picture, this.tip);
    this.listen(go);
  }

  /** Makes the graph a slider for keyboards and screen readers; its keys are those of the page. */
  makeSlider(label) {
    const attributes = { role: "slider", tabindex: 0, "aria-label": label, "aria-valuemin": 0, "aria-valuemax": this.length };
    for (const [key, value] of Object.entries(attributes)) this.frame.setAttribute(key, value);
    this.frame.querySelector("svg").setAttribute("aria-hidden", "true");
    this.isSlider = true;
  }

  listen(go) {
    const { frame, tip } = this;
    frame.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      frame.setPointerCapture(event.pointerId);
      go(this.plyAt(event));
    });
    frame.addEventListener("pointermove", (event) => {
      const ply = this.plyAt(event);
      if (frame.hasPointerCapture(event.pointerId)) go(ply);
      tip.hidden = false;
      tip.textContent = this.tell(ply);
      const half = tip.offsetWidth / 2;
      const at = (frame.clientWidth * ply) / this.length;
      tip.style.left = `${Math.min(Math.max(at, half), frame.clientWidth - half)}px`;
    });
    for (const name of ["pointerleave", "pointerup"]) frame.addEventListener(name, () => (tip.hidden = true));
  }

  plyAt(event) {
    const { left, width } = this.frame.getBoundingClientRect();
    const share = Math.min(Math.max((event.clientX - left) / width, 0), 1);
    return Math.round(share * this.length);
  }

  show(ply) {
    const x = `${(100 * ply) / this.length}%`;
    this.cursor.setAttribute("x1", x);
    this.cursor.setAttribute("x2", x);
    if (!this.isSlider) return;
    this.frame.setAttribute("aria-valuenow", ply);
    this.frame.setAttribute("aria-valuetext", this.tell(ply));
  }
}
