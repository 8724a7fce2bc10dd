import classes from './data-explore.module.css'
import type { DeviceValue } from './use-kept-values.ts'
import { useOffered } from './use-offered.ts'

type Props = {
  title: string
  values: readonly DeviceValue[]
  onOpen: (value: DeviceValue) => void
}

/** Cards of values to begin with; absent while there are none. */
export function ValueCards({ title, values, onOpen }: Props) {
  const offered = useOffered(values)
  if (offered.length === 0) return null
  return (
    <section>
      <h2>{title}</h2>
      <ul className={classes.startCards}>
        {offered.map(({ device, path, label, name }) => (
          <li key={`${device}/${path}`}>
            <button type="button" onClick={() => onOpen({ device, path })}>
              <strong>{label}</strong>
              <small>{name}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
