// `make web-bench`: the bench of both builds in Node.js, beside the native program's if its path is given, and how soon
// `stop` is answered.
import { execFileSync } from "node:child_process";
import { createEngine } from "./package/index.mjs";

const STOPS = 200;

const line = (name, nodes, rate, rest = "") => console.log(`${name.padEnd(8)} ${nodes} nodes ${rate} nps${rest}`);
const parse = (text) => /^(\d+) nodes (\d+) nps$/m.exec(text).slice(1).map(Number);

const native = process.argv[2] ? parse(execFileSync(process.argv[2], ["bench"], { encoding: "utf8" })) : null;
if (native) line("native", ...native);
let isEqual = true;
for (const build of ["single", "best"]) {
  const engine = await createEngine({ build });
  const heard = [];
  engine.listen((text) => heard.push(text));
  await engine.ask("bench", "48/48");
  await engine.ask("isready", "readyok");
  const [nodes, rate] = parse(heard.join("\n"));
  const share = native ? `, ${Math.round((100 * rate) / native[1])} % of the native program's` : "";
  line(build, nodes, rate, share);
  isEqual &&= !native || nodes === native[0];

  const delays = [];
  engine.send("position startpos");
  for (let i = 0; i < STOPS; i++) {
    const started = engine.ask("go infinite", "info depth 1 ");
    await started;
    await new Promise((resolve) => setTimeout(resolve, 20));
    const begin = performance.now();
    await engine.ask("stop", "bestmove");
    delays.push(performance.now() - begin);
  }
  delays.sort((a, b) => a - b);
  const at = (share) => delays[Math.min(STOPS - 1, Math.floor(share * STOPS))].toFixed(1);
  console.log(`         stop answered in ${at(0.5)} ms (median), ${at(0.99)} ms (99th percentile of ${STOPS})`);
  engine.terminate();
}
if (!isEqual) {
  console.error("the builds do not search the same nodes");
  process.exitCode = 1;
}
