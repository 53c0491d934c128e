import type { JsonSchema } from "@haft/core";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { VisibleText } from "../parts/visible-text.js";
import { Control, type FieldProps, type FieldSchema } from "./schema-control.js";

export interface SchemaFormProps {
  readonly schema: JsonSchema;
  readonly value: Readonly<Record<string, unknown>>;
  /** Names of fields that differ from the model's arguments. */
  readonly edited?: ReadonlySet<string>;
  /** Prefix for the ids of its fields, so that two forms on one page do not collide. */
  readonly idPrefix?: string;
  onChange(value: Readonly<Record<string, unknown>>): void;
}

/** Generates a form for any tool from its JSON Schema. */
export function SchemaForm({
  schema,
  value,
  edited,
  idPrefix = "field",
  onChange,
}: SchemaFormProps): JSX.Element {
  const { properties = {}, required = [] } = schema as {
    readonly properties?: Readonly<Record<string, FieldSchema>>;
    readonly required?: readonly string[];
  };
  const isKnown = (name: string) => Object.hasOwn(properties, name);
  const names = [...Object.keys(properties), ...Object.keys(value).filter((name) => !isKnown(name))];
  // A field keeps its position while the user types in it, because moving it would lose the focus.
  const given = useMemo(() => new Set(Object.keys(value)), [schema]);
  const shown = names.filter((name) => required.includes(name) || given.has(name) || !isKnown(name));
  const others = names.filter((name) => !shown.includes(name));
  const field = (name: string) => (
    <Field
      key={name}
      id={`${idPrefix}-${name}`}
      name={name}
      schema={(isKnown(name) && properties[name]) || {}}
      value={Object.hasOwn(value, name) ? value[name] : undefined}
      isRequired={required.includes(name)}
      isEdited={edited?.has(name) ?? false}
      onChange={(next) => {
        const { [name]: _, ...rest } = value;
        const isLeftOut = next === undefined || (next === "" && others.includes(name));
        onChange(isLeftOut ? rest : { ...value, [name]: next });
      }}
    />
  );
  return (
    <div class="pane-form">
      {shown.map(field)}
      {others.length > 0 && (
        <details class="more-fields">
          <summary>{moreWords(others, value)}</summary>
          <div class="pane-form">{others.map(field)}</div>
        </details>
      )}
    </div>
  );
}

function moreWords(others: readonly string[], value: Readonly<Record<string, unknown>>): string {
  const given = others.filter((name) => Object.hasOwn(value, name)).length;
  return `${others.length} more, ${given === 0 ? "not" : given} given`;
}

function Field(props: FieldProps) {
  const { id, name, schema, isRequired, isEdited } = props;
  return (
    <div class="field">
      <label htmlFor={id} title={schema.description}>
        <VisibleText text={name} />
        <span class="hint">{isEdited ? "edited by you" : isRequired ? "required" : ""}</span>
      </label>
      <Control {...props} />
    </div>
  );
}
