import { useWords } from '@longreach/ui/use-words'
import { states } from './cluster-rules.ts'
import { StateShape } from './StateShape.tsx'
import classes from './Legend.module.css'

/** Legend of the markers on the map. */
export function Legend() {
  const t = useWords()
  return (
    <ul className={classes.legend} aria-label={t('device-map.legend')}>
      {states.map((state) => (
        <li key={state}>
          <StateShape state={state} />
          {t(`device-map.state.${state}`)}
        </li>
      ))}
    </ul>
  )
}
