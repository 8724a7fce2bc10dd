import { z } from 'zod'

export type Schema = {
  type?: string | string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  additionalProperties?: Schema | boolean
  [keyword: string]: unknown
}

/**
 * JSON Schema of what callers send (`input`) or receive (`output`). Objects of a body are closed,
 * because unknown fields are refused; `ignored` fields are accepted without effect.
 */
export function schemaOf(
  type: z.ZodType,
  io: 'input' | 'output',
  ignored: readonly string[] = [],
): Schema {
  const schema = z.toJSONSchema(type, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => describe(zodSchema, jsonSchema as Schema, io),
  }) as Schema
  delete schema['$schema'] // the dialect is that of OpenAPI 3.1
  for (const path of ignored) addIgnored(schema, path.split('.'))
  return schema
}

/**
 * Moves the definitions of recursive schemas to the document's components, named by where they
 * occur: OpenAPI resolves `#/$defs` from the top of the document.
 */
export function withoutDefinitions<T>(
  place: string,
  described: T,
  components: Record<string, unknown>,
) {
  let held = 0
  const lift = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(lift)
    if (typeof value !== 'object' || value === null) return value
    const { $defs, ...rest } = value as { $defs?: Record<string, unknown> }
    const lifted = Object.fromEntries(Object.entries(rest).map(([key, one]) => [key, lift(one)]))
    if ($defs === undefined) return lifted
    held += 1
    const name = (key: string) => `${place}_${held}_${key.replaceAll('_', '')}`
    const renamed = (one: unknown) =>
      JSON.parse(
        JSON.stringify(one).replace(
          /"#\/\$defs\/(\w+)"/g,
          (_, key: string) => `"#/components/schemas/${name(key)}"`,
        ),
      ) as unknown
    for (const [key, one] of Object.entries($defs)) components[name(key)] = renamed(lift(one))
    return renamed(lifted)
  }
  return lift(described) as T
}

function describe(type: z.core.$ZodType, schema: Schema, io: 'input' | 'output') {
  const { def } = type as unknown as { def: z.core.$ZodTypes['_zod']['def'] }
  if (def.type === 'date') Object.assign(schema, { type: 'string', format: 'date-time' })
  if (io === 'output') return
  // The value is trimmed or lower-cased before the pattern is checked, so the pattern does not
  // describe the text that is sent.
  if (def.type === 'string' && isRewritten(def)) delete schema['pattern']
  if (def.type !== 'object') return
  if (def.catchall === undefined) schema.additionalProperties = false
}

const isRewritten = ({ checks = [] }: z.core.$ZodTypeDef) =>
  checks.some(({ ['_zod']: { def } }) => def.check === 'overwrite')

/** Adds an ignored field by its path; list indexes are not part of it. */
function addIgnored(schema: Schema, [name = '', ...rest]: readonly string[]) {
  const holder = schema.items ?? schema
  const { properties = {} } = holder
  properties[name] ??= { description: 'Accepted from older clients; has no effect.' }
  holder.properties = properties
  if (rest.length > 0) addIgnored(properties[name], rest)
}
