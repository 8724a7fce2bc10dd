import { useWords } from '@longreach/ui/use-words'
import type { Consequence } from './organization-calls.ts'
import classes from './Effects.module.css'

/** Effects of a change: numbers of affected things with some of their names. */
export function Effects({ effects }: { effects: readonly Consequence[] }) {
  const t = useWords()
  if (effects.length === 0) return null
  const safe = effects.every(({ effect }) => effect === 'people_let_in')
  return (
    <ul className={classes.effects} data-safe={safe || undefined} aria-live="polite">
      {effects.map(({ field, effect, count, names }) => (
        <li key={`${field} ${effect}`}>
          {t(`organizations.effect.${effect}`, { count, first: names[0] ?? '' })}
          {count > 0 && names.length > 0 && !effectsWithNames.has(effect) && (
            <>
              {' '}
              {t('organizations.effectNames', {
                names: names.join(', '),
                more: count - names.length,
              })}
            </>
          )}
        </li>
      ))}
    </ul>
  )
}

/** These name what they are about in their own sentence. */
const effectsWithNames = new Set<Consequence['effect']>(['hostname_lost', 'locks_you_out'])
