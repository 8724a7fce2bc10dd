import { CopyText } from '@longreach/ui/CopyText'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { api, query, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import shared from './organizations.module.css'
import classes from './ImportTokenTab.module.css'

/** Tokens with which others move a device into this organization. */
export function ImportTokenTab({ org }: { org: string }) {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const params = { org }
  const list = useQuery(query(api.core.importTokens, { params }))
  const make = useMutation({
    mutationFn: () => api.core.createImportToken({ params }),
    onSuccess: () => stale(api.core.importTokens),
  })
  const error = make.error ?? list.error
  const time = (at: Date) => intl.formatDate(at, { dateStyle: 'medium', timeStyle: 'short' })
  const button = (
    <Button
      leftSection={<IconKey size={16} stroke={1.6} />}
      loading={make.isPending}
      onClick={() => make.mutate()}
    >
      {t('organizations.makeToken')}
    </Button>
  )
  return (
    <div className={shared.stack}>
      <p className={shared.hint}>{t('organizations.tokenHelp')}</p>
      {error && <ErrorPanel {...errorText(error)} />}
      {make.data && (
        <div className={classes.token} role="status">
          <strong>{t('organizations.tokenOnce')}</strong>
          <CopyText text={make.data.token} label={t('organizations.token')} />
          <span>{t('organizations.tokenUntil', { time: time(make.data.expirationDate) })}</span>
        </div>
      )}
      {list.data?.length === 0 ? (
        <EmptyState
          kind="nothing"
          title={t('organizations.noToken')}
          text={t('organizations.noTokenText')}
          action={button}
        />
      ) : (
        <>
          <div>{button}</div>
          <ul className={shared.list} aria-label={t('organizations.tokens')}>
            {list.data?.map(({ createdBy, createdAt, expirationDate }) => (
              <li key={createdAt.getTime()} className={shared.row}>
                <span>
                  {t('organizations.tokenBy', { who: createdBy })} <RelativeTime at={createdAt} />
                </span>
                <span className={shared.hint}>
                  {t('organizations.tokenUntil', { time: time(expirationDate) })}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </div>
  )
}
