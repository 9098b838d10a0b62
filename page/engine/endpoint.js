// Where the engine and the rules are: here in WebAssembly. `vancura board` serves another file in place of this one, which
// leads to the program.
export { connect } from "./wasm.js";
