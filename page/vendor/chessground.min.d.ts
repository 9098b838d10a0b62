// What the page uses of chessground, for the checker of types.
export interface Ground {
  state: any;
  set(config: object): void;
  setAutoShapes(shapes: object[]): void;
  setShapes(shapes: object[]): void;
  setPieces(pieces: Map<string, object | undefined>): void;
  selectSquare(square: string | null, force?: boolean): void;
  dragNewPiece(piece: object, event: Event, force?: boolean): void;
  playPremove(): boolean;
  cancelPremove(): void;
  cancelMove(): void;
  getFen(): string;
  redrawAll(): void;
  destroy(): void;
}
export function Chessground(element: HTMLElement, config?: object): Ground;
