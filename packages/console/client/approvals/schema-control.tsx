import { useSignal } from "@preact/signals";
import { prettyJson } from "../parts/pretty-json.js";

export interface FieldSchema {
  readonly type?: string | readonly string[];
  readonly anyOf?: readonly FieldSchema[];
  readonly oneOf?: readonly FieldSchema[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly default?: unknown;
}

export interface FieldProps {
  readonly id: string;
  readonly name: string;
  readonly schema: FieldSchema;
  readonly value: unknown;
  readonly isRequired: boolean;
  readonly isEdited: boolean;
  onChange(value: unknown): void;
}

/** Renders the control that fits the type of a field. */
export function Control({ id, schema, value, isEdited, onChange }: FieldProps) {
  const edited = isEdited ? "is-edited" : "";
  const types = typesOf(schema);
  const type = types.length === 0 ? typeOfValue(value) : types.length === 1 ? types[0] : "several";
  const placeholder = schema.default === undefined ? undefined : String(schema.default);
  if (schema.enum !== undefined)
    return (
      <select
        id={id}
        class={`input ${edited}`}
        value={String(value ?? "")}
        onChange={({ currentTarget }) =>
          onChange(
            currentTarget.value === ""
              ? undefined
              : schema.enum?.find((each) => String(each) === currentTarget.value),
          )
        }
      >
        <option value="">{placeholder === undefined ? "" : `${placeholder} (default)`}</option>
        {schema.enum.map((each) => (
          <option key={String(each)}>{String(each)}</option>
        ))}
      </select>
    );
  if (type === "boolean")
    return (
      <input
        id={id}
        type="checkbox"
        class="box"
        checked={(value ?? schema.default) === true}
        onChange={({ currentTarget }) => onChange(currentTarget.checked)}
      />
    );
  if (type === "number" || type === "integer")
    return (
      <input
        id={id}
        type="number"
        class={`input code ${edited}`}
        placeholder={placeholder}
        value={value === undefined ? "" : String(value)}
        onInput={({ currentTarget }) =>
          onChange(currentTarget.value === "" ? undefined : Number(currentTarget.value))
        }
      />
    );
  const text = { id, class: `input code ${edited}`, placeholder, value, onChange };
  if (type === "string") return <TextControl {...text} />;
  return <JsonControl {...text} types={types} />;
}

/** Returns the types that a value may have, except null, which an empty field represents. */
function typesOf({ type, anyOf = [], oneOf = [] }: FieldSchema): readonly string[] {
  const own = type === undefined ? [] : typeof type === "string" ? [type] : type;
  const all = [...own, ...[...anyOf, ...oneOf].flatMap(typesOf)];
  return [...new Set(all)].filter((each) => each !== "null");
}

function typeOfValue(value: unknown): string {
  return typeof value === "object" && value !== null ? "object" : "string";
}

interface TextProps {
  readonly id: string;
  readonly class: string;
  readonly placeholder: string | undefined;
  readonly value: unknown;
  onChange(value: unknown): void;
}

function TextControl({ id, class: className, placeholder, value, onChange }: TextProps) {
  const text = typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);
  const rows = Math.min(14, text.split("\n").length + (text.length > 70 ? 1 : 0));
  // Keeps the same element: replacing it while the user types would lose the focus.
  return (
    <textarea
      id={id}
      class={className}
      rows={rows}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface JsonProps extends TextProps {
  readonly types: readonly string[];
}

/** Edits lists and objects as JSON. Incomplete JSON is passed on as a string, which the schema rejects. */
function JsonControl({ id, class: className, placeholder, value, types, onChange }: JsonProps) {
  const typed = useSignal("");
  const mayBeText = types.includes("string");
  // Keeps the typed text as long as it represents the value, because formatting it would move the caret.
  const isTyped = JSON.stringify(meaningOf(typed.value, types)) === JSON.stringify(value);
  const text = isTyped ? typed.value : typeof value === "string" ? value : prettyJson(value);
  return (
    <textarea
      id={id}
      class={className}
      rows={Math.min(10, text.split("\n").length + (mayBeText ? 0 : 1))}
      placeholder={placeholder}
      value={text}
      onInput={({ currentTarget }) => {
        typed.value = currentTarget.value;
        onChange(meaningOf(currentTarget.value, types));
      }}
    />
  );
}

/** Converts typed text to a value of one of these types. */
function meaningOf(typed: string, types: readonly string[]): unknown {
  if (typed.trim() === "") return undefined;
  const parsed = parsedJson(typed);
  return types.includes("string") && !types.some((type) => isOf(type, parsed)) ? typed : parsed;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function isOf(type: string, value: unknown): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type && !Array.isArray(value);
}
