import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { query } from '../../../parts/api/api.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { Breadcrumb } from '../../../parts/pages/Breadcrumb.tsx'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import { type Trigger, useTriggerOrganization } from '../trigger-calls.ts'
import { newTrigger, toCopy } from './trigger-draft.ts'
import { TriggerEditor } from './TriggerEditor.tsx'

/** A new trigger: an empty one, or the copy of another one that the address names. */
export function Component() {
  const t = useWords()
  const [search] = useSearch()
  const from = one(search['from'])
  return (
    <Page>
      <PageHeader
        title={t('trigger.new')}
        trail={<Breadcrumb to="/trigger" section="trigger" />}
        help={t('trigger-editor.help')}
      />
      {from === undefined ? <EmptyTrigger /> : <CopyOf key={from} id={from} />}
    </Page>
  )
}

/** Messages of a new trigger are in the language and zone of who makes it. */
function EmptyTrigger() {
  const { locale } = useIntl()
  const [start] = useState(() => newTrigger(usualZone(), locale.slice(0, 2)))
  return <TriggerEditor start={start} locked={false} />
}

function CopyOf({ id }: { id: string }) {
  const here = useTriggerOrganization()
  const { data, error, refetch } = useQuery({
    ...query(triggersApi.trigger, { params: { id }, query: here }),
    // A newer version of it does not take away what is typed.
    staleTime: Infinity,
  })
  if (data === undefined) return <ContentPending error={error} refetch={refetch} />
  return <CopiedTrigger trigger={data} />
}

function CopiedTrigger({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const [start] = useState(() => toCopy(trigger, t('trigger.copyOf', { name: trigger.name })))
  return (
    <>
      {trigger.longreach.secrets.length > 0 && (
        <ErrorPanel tone="warning" message={t('trigger-trial.noSecrets')} />
      )}
      <TriggerEditor start={start} locked={false} />
    </>
  )
}
