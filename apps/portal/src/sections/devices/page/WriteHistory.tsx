import { formatTime } from '@longreach/ui/format'
import { useWords, type MessageId } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { useActorName } from '../../../parts/audit/actor-name.ts'
import { api, query } from '../../../parts/api/api.ts'
import { useLook } from '../../../parts/look/look.ts'
import { useReach } from '../../../parts/session/reach.ts'
import type { Tag } from '../../../parts/devices/tags.ts'
import { useValueText } from '../../../parts/devices/value-text.ts'
import shared from './device-page.module.css'
import classes from './WriteHistory.module.css'

const shownAtFirst = 5
const looked = 200

/** The last writes of a value: when, who, from what to what, why, and what the device said. */
export function WriteHistory({ deviceId, tag }: { deviceId: string; tag: Tag }) {
  const t = useWords()
  const { locale } = useIntl()
  const valueText = useValueText()
  const { zone } = useLook()
  const nameOf = useActorName()
  const org = useReach()
  const { data } = useQuery(
    query(api.platform.timeline, {
      params: { org, deviceId },
      query: { kind: ['write'], limit: looked },
    }),
  )
  const writes =
    data?.data.filter(({ modelPath }) => modelPath === tag.path).slice(0, shownAtFirst) ?? []
  if (writes.length === 0) return null
  const show = (value: unknown) => valueText.text(value, tag.unit)
  return (
    <section className={classes.writes} aria-label={t('device-page.write.history')}>
      <h3 className={shared.day}>{t('device-page.write.history')}</h3>
      <ul className={shared.list}>
        {writes.map(({ id, at, by, data: { from, to, reason, status, approvedBy } }) => (
          <li key={id} className={shared.writeRow}>
            <b>{`${show(from)} → ${show(to)}`}</b>
            <span className={shared.dim}>
              {[
                formatTime(new Date(at), locale, zone),
                by !== null && nameOf(by),
                typeof approvedBy === 'string' &&
                  t('device-page.write.approvedBy', { name: nameOf(approvedBy) }),
                t(writeStatusWords[String(status)] ?? 'device-page.write.sent'),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
            {typeof reason === 'string' && <span>{reason}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Words of what a device made of a write. */
export const writeStatusWords: Record<string, MessageId> = {
  confirmed: 'device-page.write.confirmed',
  sent: 'device-page.write.sent',
  no_answer: 'device-page.write.noAnswer',
}
