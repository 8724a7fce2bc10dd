import { useEditing } from './rule-context.ts'
import { valueAt } from '../../../parts/forms/draft-places.ts'

export type FieldProps = { place: string; label: string; bare?: boolean }

/** Properties that every field of a rule has: its label, fault, and whether it may be changed. */
export function useRuleField({ place, label, bare = false }: FieldProps) {
  const { rule, set, faultOf, locked } = useEditing()
  return {
    value: valueAt(rule, place),
    set: (value: unknown) => set(place, value),
    common: {
      ...(bare ? { 'aria-label': label } : { label }),
      error: faultOf(place),
      disabled: locked,
    },
  }
}
