import { boardSchema } from './document.ts'
import { fieldOf, type JsonObject } from './json.ts'

/** Steps from each schema to the next one; step `n` takes a document of schema `n`. Each has an example in its test. */
const steps: ReadonlyMap<number, (document: JsonObject) => JsonObject> = new Map()

/**
 * Document in the newest schema, as far as steps lead from its own; what is stored stays as it is.
 * A document without a known schema is answered as it came, and refused by the schema.
 */
export function migrate(document: JsonObject): JsonObject {
  let migrated = document
  for (let schema = fieldOf(document, 'schema'); typeof schema === 'number'; schema += 1) {
    const step = steps.get(schema)
    if (schema >= boardSchema || !step) break
    migrated = { ...step(migrated), schema: schema + 1 }
  }
  return migrated
}
