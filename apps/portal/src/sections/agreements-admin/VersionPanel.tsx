import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { formatTime } from '@longreach/ui/format'
import { RelativeTime, useNow } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button, TextInput } from '@mantine/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { AgreementChoice } from '../../parts/agreements/AgreementChoice.tsx'
import { agreementText } from '../../parts/agreements/agreement-rules.ts'
import { api, query, stale } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useLook } from '../../parts/look/look.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './agreements-admin.module.css'
import { LifeTag } from './version-columns.tsx'
import { lifeOf, type Version } from './version-rules.ts'

type Props = { version: Version; onClose: () => void; onNext: () => void }

/** Panel of a version: its text, its state, and the people who accepted it. */
export function VersionPanel({ version, onClose, onNext }: Props) {
  const t = useWords()
  const now = useNow()
  const { language } = useLook()
  const { locale, timeZone } = useIntl()
  const org = useSession().organization.resourceId
  const all =
    queries.getQueryData<Version[]>(query(api.core.agreements, { params: { org } }).queryKey) ?? []
  const at = (date: Date) => formatTime(date, locale, timeZone)
  return (
    <SidePanel
      title={agreementText(version, language).title}
      facts={<LifeTag life={lifeOf(version, all, now)} />}
      actions={
        <>
          <Button size="compact-md" variant="default" onClick={onNext}>
            {t('agreements-admin.next')}
          </Button>
          <ForceButton version={version} />
        </>
      }
      onClose={onClose}
    >
      <PanelSection title={t('agreements-admin.preview')}>
        <AgreementChoice agreement={version} />
      </PanelSection>
      <PanelSection title={t('agreements-admin.facts')}>
        <Facts
          items={[
            {
              label: t('agreements-admin.type'),
              value: t(`agreements-admin.types.${version.type}`),
            },
            { label: t('agreements-admin.start'), value: at(version.validityStart) },
            {
              label: t('agreements-admin.end'),
              value: version.validityEnd ? at(version.validityEnd) : '–',
            },
            {
              label: t('agreements-admin.made'),
              value: (
                <>
                  <RelativeTime at={version.createdAt} /> · {version.createdBy}
                </>
              ),
            },
          ]}
        />
      </PanelSection>
      <Acceptances version={version} />
    </SidePanel>
  )
}

/** Out of force and back: it can be undone at once. */
function ForceButton({ version }: { version: Version }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const force = useMutation({
    mutationFn: (disabled: boolean) =>
      api.core.changeAgreement({
        params: { org, agreement: version.id },
        body: { disabled },
      }),
    onSuccess: async (changed) => {
      await stale(api.core.agreements)
      const message = t(changed.disabled ? 'agreements-admin.isOff' : 'agreements-admin.isOn')
      const run = () => force.mutate(!changed.disabled)
      toast({ message, action: { label: t('agreements-admin.undo'), run } })
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <Button
      size="compact-md"
      variant="default"
      loading={force.isPending}
      onClick={() => force.mutate(!version.disabled)}
    >
      {t(version.disabled ? 'agreements-admin.turnOn' : 'agreements-admin.turnOff')}
    </Button>
  )
}

function Acceptances({ version }: { version: Version }) {
  const t = useWords()
  const errorText = useErrorText()
  const [text, setText] = useState('')
  const org = useSession().organization.resourceId
  const search = text.trim()
  const list = useQuery({
    ...query(api.core.acceptances, {
      params: { org, agreement: version.id },
      query: { pageSize: 50, ...(search !== '' && { search }) },
    }),
    placeholderData: keepPreviousData,
  })
  const people = list.data?.content ?? []
  return (
    <PanelSection title={t('agreements-admin.people', { count: version.acceptances })}>
      {list.error && <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />}
      {version.acceptances > 0 && (
        <TextInput
          aria-label={t('agreements-admin.search')}
          placeholder={t('agreements-admin.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      )}
      {list.data && people.length === 0 && (
        <p className={classes.dim}>
          {t(search === '' ? 'agreements-admin.nobody' : 'agreements-admin.notFound')}
        </p>
      )}
      <ul className={classes.people}>
        {people.map((one) => (
          <li key={one.sub}>
            <span>{one.username}</span>
            <span className={classes.dim}>
              <RelativeTime at={one.acceptedAt} /> · <code>{one.ip}</code>
            </span>
          </li>
        ))}
      </ul>
      {list.data?.last === false && (
        <p className={classes.dim}>
          {t('agreements-admin.shown', { shown: people.length, total: list.data.totalElements })}
        </p>
      )}
    </PanelSection>
  )
}
