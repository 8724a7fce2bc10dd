const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Texts that are UUIDs; PostgreSQL refuses to compare others with a column of them. */
export const onlyUuids = (texts: readonly string[]) => texts.filter((text) => uuid.test(text))
