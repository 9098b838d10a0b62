// The options of an engine as a form.
import { t } from "../texts/words.js";
import { $, element } from "./dom.js";

const isTrue = (/** @type {any} */ value) => value === true || value === "true";

/**
 * A field for an option, and how its value is read; a button has none.
 * @param {import("../engines.js").Field} field
 * @param {any} value
 * @param {(option: string) => void} press
 */
function row({ name, type, default: preset = "", min, max, choices = [], fixed }, value, press) {
  if (type === "button") {
    const button = element("button", { type: "button", class: "plain" }, name);
    button.addEventListener("click", () => press(name));
    return { row: element("div", { class: "option" }, button) };
  }
  const now = value ?? preset;
  /** @type {Record<string, () => any>} */
  const inputs = {
    check: () => element("input", { type: "checkbox", checked: isTrue(now) }),
    spin: () => element("input", { type: "number", min, max, step: 1, value: now, required: true }),
    combo: () => element("select", {}, ...choices.map((choice) => element("option", { value: choice, selected: choice === now }, choice))),
  };
  const input = (inputs[type] ?? (() => element("input", { value: now, maxlength: 1000, readonly: fixed })))();
  const read = () => (type === "check" ? input.checked : type === "spin" ? Number(input.value) : input.value);
  const reset = () => {
    if (type === "check") input.checked = isTrue(preset);
    else input.value = preset;
  };
  const isPreset = () => (type === "check" ? input.checked === isTrue(preset) : String(input.value) === String(preset));
  const note = fixed ? [element("small", { class: "soft" }, t("option.fixed"))] : [];
  return { row: element("label", { class: `option ${type}` }, element("span", {}, name), input, ...note), read: fixed ? undefined : read, reset, isPreset };
}

/**
 * Asks for options: resolves with those that are not as the engine has them itself, or with `null`.
 * @param {string} engine
 * @param {import("../engines.js").Field[]} fields
 * @param {Record<string, any>} kept
 * @param {(option: string) => void} press a button among the options
 * @returns {Promise<Record<string, any> | null>}
 */
export function askForOptions(engine, fields, kept, press) {
  const rows = fields.map((field) => ({ name: field.name, ...row(field, kept[field.name], press) }));
  const cancel = element("button", { type: "button" }, t("cancel"));
  const reset = element("button", { type: "button", "data-option": "reset" }, t("option.reset"));
  const form = element("form", { method: "dialog" }, element("h2", {}, t("option.title", { engine })),
    element("div", { class: "options" }, ...rows.map(({ row }) => row)),
    element("p", { class: "soft", hidden: fields.length > 0 }, t("option.none")),
    element("div", { class: "actions end" }, reset, cancel, element("button", { type: "submit", class: "main", value: "ok" }, t("use"))));
  const dialog = element("dialog", { id: "engine-options", "aria-label": t("option.title", { engine }) }, form);
  cancel.addEventListener("click", () => dialog.close(""));
  reset.addEventListener("click", () => rows.forEach((each) => each.read && each.reset?.()));
  $("body").append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      const changed = rows.filter(({ read, isPreset }) => read && !isPreset());
      resolve(dialog.returnValue === "ok" ? Object.fromEntries(changed.map(({ name, read }) => [name, read()])) : null);
    });
  });
}
