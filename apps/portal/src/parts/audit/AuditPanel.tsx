import { CopyText } from '@longreach/ui/CopyText'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { useIntl } from 'react-intl'
import { query } from '../api/api.ts'
import { auditApi, type EntryDetail } from './audit-calls.ts'
import { changesOf } from './audit-changes.ts'
import { Outcome, Who } from './audit-columns.tsx'
import { pageOf, useAuditText } from './audit-text.ts'
import classes from './audit.module.css'
import { routerSearch } from '../pages/page-links.ts'
import { PanelPending } from '../pages/ContentPending.tsx'

type Props = {
  id: number
  organization: string
  onClose: () => void
  /** Buttons that narrow the list beside the panel. */
  Actions?: ComponentType<{ entry: EntryDetail }>
}

/** Audit entry: its changes, its actor, and its place in the chain. */
export function AuditPanel({ id, organization, onClose, Actions }: Props) {
  const t = useWords()
  const { what } = useAuditText()
  const { data, error, refetch } = useQuery(
    query(auditApi.entry, { params: { id }, query: { organization } }),
  )
  if (error || !data)
    return <PanelPending title={t('log.line')} onClose={onClose} {...{ error, refetch }} />
  const page = pageOf(data)
  return (
    <SidePanel
      title={what(data)}
      facts={<Outcome entry={data} />}
      actions={
        <>
          {page !== undefined && (
            <Button component={Link} to={page.to} search={routerSearch(page.search ?? {})}>
              {t('log.open')}
            </Button>
          )}
          {Actions && <Actions entry={data} />}
        </>
      }
      onClose={onClose}
    >
      <PanelSection title={t('log.changes')}>
        <Changes entry={data} />
      </PanelSection>
      <PanelSection title={t('log.details')}>
        <Details entry={data} />
      </PanelSection>
    </SidePanel>
  )
}

function Changes({ entry: { before, after } }: { entry: EntryDetail }) {
  const t = useWords()
  const { changed, unchanged, both } = changesOf(before, after)
  if (changed.length === 0 && unchanged === 0)
    return <p className={classes.note}>{t('log.noChanges')}</p>
  const side = before === null ? t('log.after') : t('log.before')
  return (
    <>
      <table className={classes.changes}>
        <thead>
          <tr>
            <th scope="col">{t('log.field')}</th>
            <th scope="col">{both ? t('log.before') : side}</th>
            {both && <th scope="col">{t('log.after')}</th>}
          </tr>
        </thead>
        <tbody>
          {changed.map((one) => (
            <tr key={one.field}>
              <th scope="row">{one.field || '—'}</th>
              <td className={both ? classes.before : undefined}>
                {both ? (one.before ?? '—') : (one.after ?? one.before)}
              </td>
              {both && <td>{one.after ?? '—'}</td>}
            </tr>
          ))}
        </tbody>
      </table>
      {unchanged > 0 && <p className={classes.note}>{t('log.unchanged', { count: unchanged })}</p>}
    </>
  )
}

function Details({ entry }: { entry: EntryDetail }) {
  const t = useWords()
  const findWords = useOptionalWords()
  const intl = useIntl()
  const { on } = useAuditText()
  const { actor, target, code, status, ip, call, organization, hash, id, at } = entry
  const reason = findWords(`errors.${code}`, { permission: '…' })
  return (
    <Facts
      items={[
        {
          label: t('log.time'),
          value: (
            <>
              {intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'medium' })} (
              <RelativeTime at={at} />)
            </>
          ),
        },
        { label: t('log.who'), value: <Who entry={entry} /> },
        ...shownIf(actor.sub, {
          label: t('log.actorId'),
          value: <CopyText text={actor.sub} label={t('log.actorId')} shorten />,
        }),
        ...shownIf(on(entry), { label: t('log.on'), value: on(entry) }),
        ...shownIf(target, {
          label: t('log.id'),
          value: <CopyText text={target} label={t('log.id')} shorten />,
        }),
        ...shownIf(ip, { label: t('log.ip'), value: <CopyText text={ip} label={t('log.ip')} /> }),
        ...shownIf(code, {
          label: t('log.reason'),
          value: reason === undefined ? code : `${reason} (${status ?? ''})`,
        }),
        { label: t('log.organization'), value: <code>{organization}</code> },
        { label: t('log.call'), value: <code>{call}</code> },
        { label: t('log.line'), value: intl.formatNumber(id) },
        {
          label: t('log.hash'),
          value: <CopyText text={hash} label={t('log.hash')} shorten />,
        },
      ]}
    />
  )
}

const shownIf = <T,>(shown: unknown, item: T) => (shown ? [item] : [])
