import type { ValueName } from './value-names.ts'

/** A value by its name, its path when the pointer rests on it; one without words by its path. */
export const NamedValue = ({ value: { name, path } }: { value: ValueName }) =>
  path === undefined ? <code>{name}</code> : <strong title={path}>{name}</strong>
