import { redactShapes, type ShapeRedactor } from "@haft/text";
import { token } from "../service/token.js";

/** Redacts credentials by their shape in external text. A host that adds shapes provides its own. */
export const SHAPE_REDACTOR = token<ShapeRedactor>("shape-redactor", () => redactShapes);
