// Sounds of moves, made here: a short knock, deeper for a capture, two for a check, a chord at the end.

/** @type {AudioContext | null} */
let context = null;

/** Browsers let a page sound only after it was touched. */
export function allowSounds() {
  context ??= typeof AudioContext === "function" ? new AudioContext() : null;
  if (context?.state === "suspended") context.resume().catch(() => {});
}

/**
 * @param {number} frequency
 * @param {number} after in seconds
 * @param {number} length
 */
function knock(frequency, after = 0, length = 0.09) {
  if (!context || context.state !== "running") return;
  const [start, tone, volume] = [context.currentTime + after, context.createOscillator(), context.createGain()];
  tone.type = "triangle";
  tone.frequency.setValueAtTime(frequency, start);
  tone.frequency.exponentialRampToValueAtTime(frequency * 0.6, start + length);
  volume.gain.setValueAtTime(0.22, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + length);
  tone.connect(volume).connect(context.destination);
  tone.start(start);
  tone.stop(start + length);
}

/** @param {"move" | "capture" | "check" | "end" | "low"} kind */
export function sound(kind) {
  if (kind === "move") knock(320);
  else if (kind === "capture") knock(200, 0, 0.13);
  else if (kind === "check") [0, 0.09].forEach((after) => knock(420, after));
  else if (kind === "low") knock(700, 0, 0.2);
  else [0, 0.07, 0.14].forEach((after, index) => knock([262, 330, 392][index], after, 0.4));
}
