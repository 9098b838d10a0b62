// What the board has kept in the browser, whole or not, read back without a browser.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { Game, START } from "../../page/model/game.js";
import { requester } from "../../page/rules/requests.js";
import { sound } from "../../page/model/store.js";

const MOVE = { uci: "e2e4", san: "e4", text: "e4", from: "e2", to: ["e4"] };

/** A state as the page keeps it, of a game with a variation. */
function state() {
  const game = new Game();
  game.play(MOVE);
  game.play({ uci: "e7e5", san: "e5", text: "e5", from: "e7", to: ["e5"] });
  game.at = 0;
  game.play({ uci: "c7c5", san: "c5", text: "c5", from: "c7", to: ["c5"] });
  game.tags = [["White", "You"]];
  const settings = { elo: null, limit: { kind: "nodes", value: 5 }, lines: 2, hash: 1, threads: 1, arrows: false, engine: true };
  return JSON.parse(JSON.stringify({ game: game.save(), mode: "play", you: "black", ending: null, settings, orientation: "white" }));
}

describe("what the board has kept", () => {
  test("comes back as it was", () => {
    const kept = state();
    const { game, ...rest } = sound(kept);
    assert.deepEqual(game.save(), kept.game);
    const { game: _, ending, ...expected } = kept;
    assert.deepEqual(rest, expected);
  });

  test("is left out where it is not as the page keeps it", () => {
    for (const foreign of [null, undefined, 1, "x", [], true, { game: 1 }, { game: null, settings: "x", mode: "x", you: 5 }]) {
      assert.deepEqual(sound(foreign).game, undefined);
      assert.equal(sound(foreign).mode, undefined);
    }
    const game = { moves: [{ parent: 5, uci: "x" }] };
    assert.deepEqual(sound({ game }), { settings: {} });
    const settings = { elo: "x", limit: { kind: "x", value: 1 }, lines: 0, hash: NaN, arrows: 1, theme: "x", other: 1, toString: 1 };
    assert.deepEqual(sound({ settings, orientation: "up", ending: { resign: "x" } }), { settings: {} });
  });

  test("is a sound game or none whichever part of it is damaged", () => {
    const values = [null, -7, 1e9, 0.5, "", "x", [], {}, [1], [null], [["a"]], true, undefined];
    const damage = (value, path) => {
      if (typeof value !== "object" || value === null) return;
      for (const key of Object.keys(value)) {
        for (const other of values) {
          const kept = state();
          const place = path.reduce((part, name) => part[name], kept.game);
          if (other === undefined && Array.isArray(place)) place.splice(Number(key), 1);
          else if (other === undefined) delete place[key];
          else place[key] = other;
          const { game } = sound(kept);
          if (!game) continue;
          for (let at = START; at < game.nodes.length; at++) game.moves(at).forEach((uci) => assert.equal(typeof uci, "string"));
          game.last();
          game.tag("White");
          game.save();
        }
        damage(value[key], [...path, key]);
      }
    };
    damage(state().game, []);
  });
});

test("whoever has ended is asked nothing more", async () => {
  const sent = [];
  const { ask, take, fail } = requester((line) => sent.push(line));
  const first = ask({ do: "a" });
  take(JSON.stringify({ id: 1, ok: 7 }));
  assert.equal(await first, 7);
  const second = ask({ do: "b" });
  fail("gone");
  await assert.rejects(second, /gone/);
  await assert.rejects(ask({ do: "c" }), /gone/);
  assert.equal(sent.length, 2);
});
