import { formatValue } from '@longreach/ui/format'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import type { KeptSource } from './agent-answers.ts'
import { isSourceType } from './source-rules.ts'
import classes from './sources.module.css'

type Props = {
  sources: readonly KeptSource[]
  locked: string | undefined
  onEdit: (source: KeptSource) => void
  onRemove: (source: KeptSource) => void
}
const tones: Record<string, Tone> = {
  ok: 'ok',
  partly: 'warning',
  failed: 'alarm',
  starting: 'info',
}

/** The sources with their state, how fast they deliver, and their last error. */
export function SourceTable({ sources, locked, onEdit, onRemove }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  return (
    <div className={classes.wide}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">{t('gateway.name')}</th>
            <th scope="col">{t('gateway.kind')}</th>
            <th scope="col">{t('gateway.state')}</th>
            <th scope="col">{t('gateway.tags')}</th>
            <th scope="col">{t('gateway.rate')}</th>
            <th scope="col">{t('gateway.lastError')}</th>
            <th scope="col">
              <span className="mantine-visually-hidden">{t('gateway.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {sources.map((one) => (
            <tr key={one.source.name}>
              <td>
                {isSourceType(one.source.type) ? (
                  <Button
                    variant="subtle"
                    size="compact-sm"
                    disabled={locked !== undefined}
                    onClick={() => onEdit(one)}
                  >
                    {one.source.name}
                  </Button>
                ) : (
                  one.source.name
                )}
              </td>
              <td>{t(`gateway.type.${one.source.type}`)}</td>
              <td>
                <StatusDot tone={tones[one.health?.state ?? 'starting'] ?? 'info'}>
                  {t(`gateway.state.${one.health?.state ?? 'starting'}`)}
                </StatusDot>
              </td>
              <td className={classes.number}>
                {t('gateway.tagCount', {
                  bad: one.health?.badTags ?? 0,
                  all: one.health?.tags ?? one.source.tags.length,
                })}
              </td>
              <td className={classes.number}>
                {formatValue(one.health?.rate, { unit: '/s', digits: 3, locale })}
              </td>
              <td>
                {one.health?.lastError && (
                  <>
                    {one.health.lastError}{' '}
                    <span className={classes.dim}>
                      <RelativeTime at={one.health.lastErrorAt} />
                    </span>
                  </>
                )}
              </td>
              <td>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  disabled={locked !== undefined}
                  aria-label={t('gateway.remove', { name: one.source.name })}
                  onClick={() => onRemove(one)}
                >
                  <IconTrash size={15} />
                </ActionIcon>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
