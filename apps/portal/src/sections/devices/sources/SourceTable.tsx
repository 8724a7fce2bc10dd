import { formatValue } from '@longreach/ui/format'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
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
            <SourceRow
              key={one.source.name}
              one={one}
              locked={locked !== undefined}
              onEdit={() => onEdit(one)}
              onRemove={() => onRemove(one)}
            />
          ))}
        </tbody>
      </table>
    </div>
  )
}

type RowProps = { one: KeptSource; locked: boolean; onEdit: () => void; onRemove: () => void }

function SourceRow({ one: { source, health }, locked, onEdit, onRemove }: RowProps) {
  const t = useWords()
  const { locale } = useIntl()
  const state = health?.state ?? 'starting'
  const { name, type, tags } = source
  return (
    <tr>
      <td>
        {isSourceType(type) ? (
          <Button variant="subtle" size="compact-sm" disabled={locked} onClick={onEdit}>
            {name}
          </Button>
        ) : (
          name
        )}
      </td>
      <td>
        <TypeName type={type} />
      </td>
      <td>
        <StatusDot tone={tones[state] ?? 'info'}>{t(`gateway.state.${state}`)}</StatusDot>
      </td>
      <td className={classes.number}>
        {t('gateway.tagCount', {
          bad: health?.badTags ?? 0,
          all: health?.tags ?? tags.length,
        })}
      </td>
      <td className={classes.number}>
        {formatValue(health?.rate, { unit: '/s', digits: 3, locale })}
      </td>
      <td>{health?.lastError !== undefined && <LastError {...health} />}</td>
      <td>
        <ActionIcon
          variant="subtle"
          color="gray"
          disabled={locked}
          aria-label={t('gateway.remove', { name })}
          onClick={onRemove}
        >
          <IconTrash size={15} />
        </ActionIcon>
      </td>
    </tr>
  )
}

/** Name of a kind of source; a newer agent may have kinds that the portal does not know. */
function TypeName({ type }: { type: string }) {
  const findWords = useOptionalWords()
  return findWords(`gateway.type.${type}`) ?? type
}

function LastError({ lastError, lastErrorAt }: NonNullable<KeptSource['health']>) {
  return (
    <>
      {lastError}{' '}
      <span className={classes.dim}>
        <RelativeTime at={lastErrorAt} />
      </span>
    </>
  )
}
