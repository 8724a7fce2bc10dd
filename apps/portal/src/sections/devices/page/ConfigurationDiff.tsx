import { useWords } from '@longreach/ui/use-words'
import { Button, Switch } from '@mantine/core'
import { useMemo, useState } from 'react'
import { changeCount, changedRows, diffRows } from './config-diff.ts'
import shared from './device-page.module.css'
import classes from './ConfigurationDiff.module.css'
import { ScrollBox } from '../ScrollBox.tsx'

type Props = {
  first: unknown
  second: unknown
  /** Headings of the two sides. */
  titles: readonly [string, string]
}
const shownAtFirst = 300

/** Two configurations side by side, place by place; at first only where they differ. */
export function ConfigurationDiff({ first, second, titles }: Props) {
  const t = useWords()
  const [everything, setEverything] = useState(false)
  const [most, setMost] = useState(shownAtFirst)
  const rows = useMemo(() => diffRows(first, second), [first, second])
  const changes = changeCount(rows)
  const shown = everything ? rows : changedRows(rows)
  return (
    <div className={shared.stack}>
      <div className={shared.bar}>
        <strong>{t('device-page.differences', { count: changes })}</strong>
        <Switch
          label={t('device-page.everything')}
          checked={everything}
          onChange={(event) => setEverything(event.currentTarget.checked)}
        />
      </div>
      {shown.length > 0 && (
        <ScrollBox label={t('device-page.comparison')}>
          <table className={`${shared.table} ${classes.diff}`}>
            <thead>
              <tr>
                <th scope="col">{t('device-page.place')}</th>
                <th scope="col">{titles[0]}</th>
                <th scope="col">{titles[1]}</th>
              </tr>
            </thead>
            <tbody>
              {shown.slice(0, most).map(({ path, kind, inner, first: a, second: b }) => (
                <tr key={path.join('/')} data-kind={kind} data-inner={inner || undefined}>
                  <td style={{ paddingLeft: 10 + 14 * (path.length - 1) }} title={path.join('/')}>
                    {path.at(-1)}
                  </td>
                  <td>{inner ? null : shownValue(a)}</td>
                  <td>{inner ? null : shownValue(b)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
      {shown.length > most && (
        <Button variant="subtle" onClick={() => setMost(most + 1_000)}>
          {t('device-page.more', { count: shown.length - most })}
        </Button>
      )}
    </div>
  )
}

const shownValue = (value: unknown) => (value === undefined ? '—' : JSON.stringify(value))
