// What the page uses of ts-fsrs, for the checker of types.
export interface Plan {
  due: Date | string;
  stability: number;
  difficulty: number;
  elapsed_days: number;
  scheduled_days: number;
  learning_steps: number;
  reps: number;
  lapses: number;
  state: number;
  last_review?: Date | string;
}
export interface Scheduler {
  next(card: Plan, now: Date, grade: number): { card: Plan };
}
export const Rating: { Again: 1; Hard: 2; Good: 3; Easy: 4 };
export function createEmptyCard(now: Date): Plan;
export function fsrs(parameters: object): Scheduler;
