import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Plan } from './import-calls.ts'
import classes from './import.module.css'
import { ScrolledLines } from './ScrolledLines.tsx'

type Line = Plan['lines'][number]
const tones: Record<Line['outcome'], Tone> = { CREATE: 'ok', PRESENT: 'off', ERROR: 'alarm' }
/** The server sends all that is wrong up to a thousand, and enough of the rest to see that the columns are right. */
const shownLines = 1_100

/** Table of the result of each line; a fault comes with its column and the way to repair it. */
export function ImportLines({ plan }: { plan: Plan }) {
  const t = useWords()
  const { counts } = plan
  const [onlyErrors, setOnlyErrors] = useState(false)
  const lines = plan.lines.filter(({ outcome }) => !onlyErrors || outcome === 'ERROR')
  const all = onlyErrors ? counts.error : counts.create + counts.present + counts.error
  return (
    <>
      <p className={classes.counts} role="status">
        {t('device-import.plan', counts)}
      </p>
      {counts.error > 0 && (
        <Checkbox
          label={t('device-import.onlyErrors')}
          checked={onlyErrors}
          onChange={(event) => setOnlyErrors(event.currentTarget.checked)}
        />
      )}
      <ScrolledLines label={t('device-import.lines')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('device-import.line')}</th>
              <th scope="col">{t('device-import.field.label')}</th>
              <th scope="col">{t('device-import.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, shownLines).map((line) => (
              <tr key={line.line}>
                <td>{line.line}</td>
                <td>{line.label || '—'}</td>
                <td>
                  <Tag tone={tones[line.outcome]}>{t(`device-import.outcome.${line.outcome}`)}</Tag>
                  {line.problems.map((problem) => (
                    <Problem
                      key={`${problem.column} ${problem.code} ${problem.value}`}
                      {...problem}
                    />
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </ScrolledLines>
      {all > lines.slice(0, shownLines).length && (
        <p className={classes.dim}>
          {t('device-import.more', { count: all - Math.min(lines.length, shownLines) })}
        </p>
      )}
    </>
  )
}

function Problem({ column, code, value }: Line['problems'][number]) {
  const t = useWords()
  return (
    <p className={classes.problem}>
      {column !== '' && <strong>{column}: </strong>}
      {t(`device-import.problem.${code}`, { value })}
    </p>
  )
}
