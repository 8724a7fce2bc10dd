import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { type MessageId, useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useActorName } from '../../parts/audit/actor-name.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { pathName, shortPath } from '../../parts/devices/tags.ts'
import { useValueText } from '../../parts/devices/value-text.ts'
import { type Attention, attentionQuery } from './overview-calls.ts'
import shared from './overview.module.css'
import classes from './WritesCard.module.css'
import { usePlace } from './use-place.ts'

type Write = Attention['writes'][number]
const results: Record<string, { tone: Tone; word: MessageId }> = {
  confirmed: { tone: 'ok', word: 'overview.confirmed' },
  no_answer: { tone: 'warning', word: 'overview.noAnswer' },
}
const unconfirmed = { tone: 'off', word: 'overview.sent' } as const

/** The newest values that people wrote: who, what, from what to what, and what came of it. */
export function WritesCard() {
  const t = useWords()
  const errorText = useErrorText()
  const { data, error, refetch } = useQuery(attentionQuery(usePlace()))
  return (
    <Panel title={t('overview.writes')}>
      {error && <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />}
      {data?.writes.length === 0 && <p className={shared.quiet}>{t('overview.noWrites')}</p>}
      {data && (
        <ul className={shared.items}>
          {data.writes.map((write) => (
            <OneWrite key={`${write.deviceId} ${write.modelPath} ${write.at}`} write={write} />
          ))}
        </ul>
      )}
      {!data && !error && <RowsSkeleton rows={4} />}
    </Panel>
  )
}

function OneWrite({ write }: { write: Write }) {
  const t = useWords()
  const { changeText } = useValueText()
  const nameOf = useActorName()
  const { deviceId, label, modelPath, from, to, unit, status, by, approvedBy, reason, at } = write
  const { tone, word } = results[status] ?? unconfirmed
  const facts = [
    by !== null && nameOf(by),
    approvedBy !== null && t('overview.approvedBy', { name: nameOf(approvedBy) }),
    reason,
  ].filter((fact) => typeof fact === 'string')
  return (
    <li className={classes.write}>
      <span className={classes.writeLine}>
        <Link
          to={`/devices/${deviceId}`}
          search={{ tab: 'history', kind: 'write' }}
          className={shared.link}
          title={shortPath(modelPath)}
        >
          {`${label} · ${pathName(write)}`}
        </Link>
        <span className={shared.time}>
          <RelativeTime at={at} />
        </span>
      </span>
      <span className={classes.writeLine}>
        <b className={classes.change}>{changeText(from, to, unit)}</b>
        <Tag tone={tone}>{t(word)}</Tag>
      </span>
      <span className={shared.facts}>{facts.join(' · ')}</span>
    </li>
  )
}
