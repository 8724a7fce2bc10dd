import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { IconCpu } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { api, query } from '../../parts/api/api.ts'
import { recentOf } from '../../parts/pages/recent.ts'
import { knownSections } from '../../parts/pages/known-sections.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import shared from './overview.module.css'
import classes from './RecentCard.module.css'
import { usePlace } from './use-place.ts'

/** The devices and pages that the person opened last, in this browser. */
export function RecentCard() {
  const t = useWords()
  const session = useSession()
  const may = useMay()
  const [recent] = useState(() => recentOf(session))
  const place = usePlace()
  const opened = recent.flatMap((one) => (one.kind === 'device' ? [one] : []))
  const deviceIds = opened.map(({ id }) => id)
  const { data } = useQuery({
    ...query(api.platform.activity, { params: { org: place.reach }, body: { deviceIds } }),
    enabled: deviceIds.length > 0 && may('devices:read'),
    refetchInterval: 30_000,
  })
  const state = new Map(data?.data.map((one) => [one.deviceId, one.connected]))
  // A device that is gone, or not to be seen any more, is not in the answer.
  const devices = opened.filter(({ id }) => state.has(id)).slice(0, 6)
  const pages = recent
    .flatMap((one) => (one.kind === 'page' ? [one] : []))
    .flatMap(({ id, at }) => {
      const section = knownSections().find((one) => one.id === id)
      return section && mayEnter(section, session) ? [{ section, at }] : []
    })
    .slice(0, 6)
  return (
    <Panel title={t('overview.recent')}>
      {devices.length + pages.length === 0 && (
        <p className={shared.quiet}>{t('overview.noRecent')}</p>
      )}
      <ul className={shared.items}>
        {devices.map(({ id, label, at }) => (
          <li key={id} className={shared.item}>
            <IconCpu size={16} stroke={1.6} className={classes.icon} />
            <Link to={`/devices/${id}`} className={shared.link}>
              {label}
            </Link>
            <span className={shared.facts}>
              <StatusDot tone={state.get(id) ? 'ok' : 'off'}>
                {t(state.get(id) ? 'overview.online' : 'overview.offline')}
              </StatusDot>
            </span>
            <span className={shared.time}>
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
        {pages.map(({ section: { id, path, icon: Icon }, at }) => (
          <li key={id} className={shared.item}>
            <span className={classes.icon}>
              <Icon size={16} stroke={1.6} />
            </span>
            <Link to={path} className={shared.link}>
              {t(`shell.section.${id}`)}
            </Link>
            <span className={shared.facts} />
            <span className={shared.time}>
              <RelativeTime at={at} />
            </span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
