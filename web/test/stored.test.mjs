// What the board has kept in the browser, whole or not, read back without a browser.
import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { START } from "../../page/model/game.js";
import { requester } from "../../page/rules/requests.js";
import { DEFAULTS, Session, against } from "../../page/model/session.js";

const move = (uci, san) => ({ uci, san, text: san, from: uci.slice(0, 2), to: [uci.slice(2)] });

/** A session of a game with a variation, as the page keeps it. */
function state() {
  const session = new Session({ ...DEFAULTS });
  const { game } = session;
  const first = game.add(START, move("e2e4", "e4"));
  game.add(first, move("e7e5", "e5"), { clock: { secs: 5, nanos: 0 }, nags: [1] });
  game.at = game.add(first, move("c7c5", "c5"));
  game.tags = [["White", "You"]];
  session.players = against("black", { engine: "Rival", level: 7, kind: "skill" });
  session.clock = null;
  return JSON.parse(JSON.stringify(session.snapshot(0)));
}

/** The session that a state gives, or nothing. */
function restored(kept) {
  const session = new Session({ ...DEFAULTS });
  return session.restore(kept) ? session : null;
}

describe("what the board has kept", () => {
  test("comes back as it was", () => {
    const kept = state();
    assert.deepEqual(JSON.parse(JSON.stringify(restored(kept).snapshot(0))), kept);
  });

  test("is left out where it is not as the page keeps it", () => {
    for (const foreign of [null, undefined, 1, "x", [], true, { game: 1 }, { game: null, settings: "x", mode: "x", you: 5 }, { id: "x", game: { moves: [{ parent: 5, uci: "x" }] } }]) {
      assert.equal(restored(foreign), null);
    }
    const { mode, you, orientation, ending, clock } = restored({ ...state(), mode: "x", players: 5, you: 5, orientation: "up", ending: { resign: "x" }, clock: { left: 1 } });
    assert.deepEqual([mode, you, orientation, ending, clock], ["play", "white", "white", null, null]);
  });

  test("tells who plays, also where an older version has kept it", () => {
    const players = (kept) => {
      const session = restored({ ...state(), players: undefined, ...kept });
      return [session.you, session.isPaused, session.players.white?.engine, session.players.black?.engine];
    };
    const player = { engine: "Rival", level: null, kind: null };
    assert.deepEqual(players({ you: "black" }), ["black", false, "Vancura", undefined]);
    assert.deepEqual(players({ players: { white: player, black: null } }), ["black", false, "Rival", undefined]);
    assert.deepEqual(players({ players: { white: player, black: player } }), [null, true, "Rival", "Rival"], "engines do not go on unasked");
    for (const damaged of [{ white: null, black: null }, { white: null, black: { engine: 1 } }, { white: null, black: { ...player, level: "x" } }, []]) {
      assert.deepEqual(players({ players: damaged }), ["white", false, undefined, "Vancura"]);
    }
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
          const game = restored(kept)?.game;
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
