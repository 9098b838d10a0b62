// The languages of the board besides English.
import de from "./de.js";
import { LANGUAGES } from "./words.js";

LANGUAGES.de = de;
