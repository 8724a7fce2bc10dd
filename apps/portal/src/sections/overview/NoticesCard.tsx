import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { formatTime } from '@longreach/ui/format'
import { IconCircleCheck } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import { mayEnter } from '../../parts/access/access-rules.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useLook } from '../../parts/look/look.ts'
import { useOrganizationNames } from '../../parts/organizations/organization-names.ts'
import { useSession } from '../../parts/session/session.ts'
import { useValueText } from '../../parts/devices/value-text.ts'
import { type Notice, type NoticeItem, noticeSources, shownNotices } from './notices.ts'
import shared from './overview.module.css'
import classes from './NoticesCard.module.css'
import { usePlace } from './use-place.ts'

/** Items of one notice; its heading leads to all of them. */
const mostItems = 3

/** All that needs the reader, from every service that they may ask. */
export function NoticesCard() {
  const t = useWords()
  const errorText = useErrorText()
  const place = usePlace()
  const session = useSession()
  const asked = noticeSources.filter(({ needs }) => mayEnter({ permissions: needs }, session))
  const answers = useQueries({ queries: asked.map((one) => one.ask(place)) })
  const notices = shownNotices(
    answers.flatMap(({ data }, at) => (data === undefined ? [] : (asked[at]?.notices(data) ?? []))),
  )
  const failed = answers.find(({ error }) => error !== null)
  const retry = () => {
    for (const one of answers) if (one.error) void one.refetch()
  }
  const pending = answers.some(({ isPending }) => isPending)
  return (
    <Panel title={t('overview.attention')}>
      {failed?.error && <ErrorPanel {...errorText(failed.error)} onRetry={retry} />}
      <ul className={shared.notices}>
        {notices.map((notice) => (
          <OneNotice key={notice.id} notice={notice} />
        ))}
      </ul>
      {notices.length === 0 && pending && <RowsSkeleton rows={3} />}
      {notices.length === 0 && !pending && !failed && (
        <p className={shared.quiet}>
          <IconCircleCheck size={18} stroke={1.6} />
          {t('overview.nothing')}
        </p>
      )}
    </Panel>
  )
}

function OneNotice({ notice }: { notice: Notice }) {
  const t = useWords()
  const { id, tone, total, to, search, items } = notice
  return (
    <li>
      <h3 className={classes.noticeTitle}>
        <StatusDot tone={tone}>
          <Link to={to} search={search ?? {}} className={shared.link}>
            {t(`overview.notice.${id}`, { total })}
          </Link>
        </StatusDot>
      </h3>
      {items.length > 0 && (
        <ul className={shared.items}>
          {items.slice(0, mostItems).map((item) => (
            <Item key={item.key} item={item} />
          ))}
        </ul>
      )}
    </li>
  )
}

function Item({ item }: { item: NoticeItem }) {
  const t = useWords()
  const { locale } = useIntl()
  const { changeText } = useValueText()
  const { zone } = useLook()
  const names = useOrganizationNames()
  const { organization } = useSession()
  const { to, search, title, orgResourceId, text, said, at, until, change } = item
  const elsewhere = orgResourceId !== undefined && orgResourceId !== organization.resourceId
  const facts = [
    change && changeText(change.from, change.to, change.unit),
    text && t(text.id, text.values),
    said,
    until !== undefined && t('overview.until', { time: formatTime(new Date(until), locale, zone) }),
    elsewhere && (names.get(orgResourceId) ?? orgResourceId),
  ].filter((fact) => typeof fact === 'string')
  return (
    <li className={shared.item}>
      <Link to={to} search={search ?? {}} className={shared.link}>
        {title}
      </Link>
      <span className={shared.facts}>{facts.join(' · ')}</span>
      {at !== undefined && (
        <span className={shared.time}>
          <RelativeTime at={at} />
        </span>
      )}
    </li>
  )
}
