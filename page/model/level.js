// How strong an engine plays, as far as its options let one choose: by a rating, or in steps of its own.

/**
 * What the strength of an engine is measured in: the rating of `UCI_Elo`, or the steps of the option `Skill Level`.
 * @typedef {{ kind: "elo" | "skill", min: number, max: number, step: number }} Scale
 *
 * Who plays a side: an engine by its name; its level is `null` at full strength, `kind` is that of its scale, or `null` if it has none.
 * @typedef {{ engine: string, level: number | null, kind: "elo" | "skill" | null }} Player
 */

/** What Vancura is called among the engines. */
export const OWN = "Vancura";

const SKILL = "Skill Level";
/** Ratings that can be chosen are so far apart. */
const RATINGS = 50;

/**
 * The scale that the options of an engine have; `null` if its strength cannot be chosen.
 * @param {Map<string, { min?: number, max?: number }>} options
 * @returns {Scale | null}
 */
export function scaleOf(options) {
  const rating = options.has("UCI_LimitStrength") ? options.get("UCI_Elo") : undefined;
  const [kind, option] = /** @type {["elo" | "skill", { min?: number, max?: number } | undefined]} */ (rating ? ["elo", rating] : ["skill", options.get(SKILL)]);
  const { min, max } = option ?? {};
  if (min === undefined || max === undefined || max <= min) return null;
  const step = kind === "elo" ? RATINGS : 1;
  return { kind, min: Math.ceil(min / step) * step, max: Math.floor(max / step) * step, step };
}

/** The levels of a scale, the lowest first. @param {Scale} scale */
export function levelsOf({ min, max, step }) {
  return Array.from({ length: Math.floor((max - min) / step) + 1 }, (_, index) => min + index * step);
}

/** The level of a scale that is nearest to a number; full strength stays that. @param {Scale | null} scale @param {number | null} level */
export function nearest(scale, level) {
  if (!scale || level === null) return null;
  return Math.min(scale.max, Math.max(scale.min, Math.round(level / scale.step) * scale.step));
}

/**
 * The options that set a level. An engine is told of none that it does not have.
 * @param {Map<string, { min?: number, max?: number }>} options
 * @param {number | null} level
 * @returns {Record<string, string | number | boolean>}
 */
export function levelOptions(options, level) {
  const scale = scaleOf(options);
  if (!scale) return {};
  if (scale.kind === "skill") return { [SKILL]: level ?? scale.max };
  return { UCI_LimitStrength: level !== null, ...(level !== null && { UCI_Elo: level }) };
}
