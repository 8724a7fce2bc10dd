import { useEditing } from './rule-context.ts'
import { classes } from './rule-classes.ts'

/** Fault of a part of a rule that has several fields. */
export function PlaceFault({ place }: { place: string }) {
  const fault = useEditing().faultOf(place)
  return fault === undefined ? null : <p className={classes.fault}>{fault}</p>
}
