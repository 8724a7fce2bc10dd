import { Hint } from '@longreach/ui/Hint'
import classes from './TriggerSwitch.module.css'

type Props = {
  label: string
  isOn: boolean
  /** Why it may not be turned; undefined: it may. */
  reason: string | undefined
  isPending: boolean
  onTurn: () => void
}

/** Switch that says on hover and focus why it may not be turned. A press does not open the row that it stands in. */
export function SwitchControl({ label, isOn, reason, isPending, onTurn }: Props) {
  const off = reason !== undefined || isPending
  return (
    <Hint text={reason}>
      <button
        type="button"
        role="switch"
        className={classes.switch}
        aria-checked={isOn}
        aria-label={label}
        aria-disabled={off || undefined}
        onClick={(event) => {
          event.stopPropagation()
          if (!off) onTurn()
        }}
        onKeyDown={(event) => event.stopPropagation()}
      />
    </Hint>
  )
}
