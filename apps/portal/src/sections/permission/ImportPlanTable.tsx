import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox } from '@mantine/core'
import { useState } from 'react'
import type { Plan } from './import-plan.ts'
import shared from './permission.module.css'
import classes from './ImportPlanTable.module.css'

type Line = Plan['lines'][number]
const tones: Record<Line['outcome'], Tone> = {
  CREATE: 'ok',
  JOIN: 'info',
  PRESENT: 'off',
  ERROR: 'alarm',
}
/** More lines than this nobody reads; the sheet has them all. */
const shownLines = 300

/** Table of the result of each line; a fault comes with its column and the way to repair it. */
export function ImportPlanTable({ plan }: { plan: Plan }) {
  const t = useWords()
  const { counts } = plan
  const [onlyErrors, setOnlyErrors] = useState(counts.error > 0)
  const lines = plan.lines.filter(({ outcome }) => !onlyErrors || outcome === 'ERROR')
  return (
    <>
      <p className={shared.text} role="status">
        {t('permission.plan', counts)}
      </p>
      {counts.error > 0 && (
        <Checkbox
          label={t('permission.onlyErrors')}
          checked={onlyErrors}
          onChange={(event) => setOnlyErrors(event.currentTarget.checked)}
        />
      )}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scrolled by keyboard */}
      <div className={classes.plan} tabIndex={0} role="region" aria-label={t('permission.lines')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('permission.line')}</th>
              <th scope="col">{t('permission.username')}</th>
              <th scope="col">{t('permission.outcome')}</th>
            </tr>
          </thead>
          <tbody>
            {lines.slice(0, shownLines).map((line) => (
              <tr key={line.line}>
                <td>{line.line}</td>
                <td>{line.username || '—'}</td>
                <td>
                  <Tag tone={tones[line.outcome]}>{t(`permission.outcome.${line.outcome}`)}</Tag>
                  {line.problems.map((problem) => (
                    <Problem key={`${problem.column} ${problem.code}`} {...problem} />
                  ))}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {lines.length > shownLines && (
        <p className={shared.dim}>
          {t('permission.moreLines', { count: lines.length - shownLines })}
        </p>
      )}
    </>
  )
}

function Problem({ column, code, value }: Line['problems'][number]) {
  const t = useWords()
  return (
    <p className={shared.text}>
      {column !== '' && <strong>{column}: </strong>}
      {t(`permission.problem.${code}`, { value })}
    </p>
  )
}
