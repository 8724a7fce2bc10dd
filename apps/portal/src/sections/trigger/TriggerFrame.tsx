import { ActionButton } from '@longreach/ui/ActionButton'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { late } from '@longreach/ui/late'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { Breadcrumb } from '../../parts/pages/Breadcrumb.tsx'
import { DetailPending } from '../../parts/pages/DetailPending.tsx'
import { isMissing } from '../../parts/pages/FailedPage.tsx'
import { linkTo } from '../../parts/pages/page-links.ts'
import { PageTabs } from '../../parts/pages/PageTabs.tsx'
import { useErrorText } from '../../parts/words/error-text.ts'
import { withWords } from '../../parts/words/spoken-words.ts'
import { DeleteTrigger } from './DeleteTrigger.tsx'
import { BlockedNotice } from './list/BlockedNotice.tsx'
import { TriggerState } from './list/TriggerState.tsx'
import { useSwitch } from './list/TriggerSwitch.tsx'
import { StoppedNotice } from './StoppedNotice.tsx'
import { type Trigger, useMayNotChange, useTrigger } from './trigger-calls.ts'

const RunTrigger = late(() => withWords(import('./RunTrigger.tsx'), 'trigger-hand'), 'RunTrigger')

type Shown = {
  /** Its editor has a switch of its own. */
  isEditor?: boolean
  children: (trigger: Trigger) => ReactNode
}

/** Page of one trigger: its name, state and tabs, and what the chosen tab shows of it. */
export function TriggerFrame({ isEditor = false, children }: Shown) {
  const { triggerId = '' }: { triggerId?: string } = useParams({ strict: false })
  const { data, error, refetch } = useTrigger(triggerId)
  if (data) {
    return (
      <OpenTrigger key={data.id} trigger={data} isEditor={isEditor}>
        {children(data)}
      </OpenTrigger>
    )
  }
  if (error) return <MissingTrigger error={error} onRetry={() => void refetch()} />
  return <DetailPending to="/trigger" section="trigger" shape={{ tabs: 2 }} />
}

function MissingTrigger({ error, onRetry }: { error: Error; onRetry: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  return (
    <Page>
      <PageHeader title={t('trigger.one')} trail={<Breadcrumb to="/trigger" section="trigger" />} />
      {isMissing(error) ? (
        <EmptyState
          kind="missing"
          title={t('trigger.notFound')}
          action={
            <Anchor component={Link} to="/trigger">
              {t('shell.section.trigger')}
            </Anchor>
          }
        />
      ) : (
        <ErrorPanel {...errorText(error)} onRetry={onRetry} />
      )}
    </Page>
  )
}

type OpenProps = { trigger: Trigger; isEditor: boolean; children: ReactNode }

function OpenTrigger({ trigger, isEditor, children }: OpenProps) {
  const t = useWords()
  const path = `/trigger/${trigger.id}`
  return (
    <Page>
      <PageHeader
        title={trigger.name}
        trail={<Breadcrumb to="/trigger" section="trigger" />}
        help={trigger.triggerData.longreach.description || t('trigger.help')}
        beside={<TriggerState trigger={trigger} />}
        actions={<TriggerActions trigger={trigger} isEditor={isEditor} />}
      />
      <PageTabs
        label={trigger.name}
        tabs={[
          { path, name: t('trigger.tab.activity') },
          { path: `${path}/edit`, name: t('trigger.tab.editor') },
        ]}
      />
      <BlockedNotice trigger={trigger} />
      <StoppedNotice trigger={trigger} />
      {children}
    </Page>
  )
}

function TriggerActions({ trigger, isEditor }: Omit<OpenProps, 'children'>) {
  const t = useWords()
  const [isDeleting, setDeleting] = useState(false)
  const [isRunning, setRunning] = useState(false)
  const navigate = useNavigate()
  const noCreate = useMayNotChange('create')
  const [noUpdate, noDelete] = [useMayNotChange('update'), useMayNotChange('delete')]
  const change = useSwitch(trigger)
  return (
    <>
      {!isEditor && (
        <ActionButton
          variant="default"
          reason={noUpdate && t(noUpdate)}
          loading={change.isPending}
          onClick={() => change.mutate()}
        >
          {t(trigger.disabled ? 'trigger.switchOn' : 'trigger.switchOff')}
        </ActionButton>
      )}
      {!isEditor && (
        <ActionButton
          variant="default"
          reason={noUpdate && t(noUpdate)}
          onClick={() => setRunning(true)}
        >
          {t('trigger.runNow')}
        </ActionButton>
      )}
      <ActionButton
        variant="default"
        reason={noCreate && t(noCreate)}
        onClick={() => void navigate(linkTo('/trigger/new', { search: { from: trigger.id } }))}
      >
        {t('trigger.duplicate')}
      </ActionButton>
      <ActionButton
        variant="default"
        reason={noDelete && t(noDelete)}
        onClick={() => setDeleting(true)}
      >
        {t('trigger.delete')}
      </ActionButton>
      {isRunning && <RunTrigger trigger={trigger} onClose={() => setRunning(false)} />}
      {isDeleting && <DeleteTrigger trigger={trigger} onClose={() => setDeleting(false)} />}
    </>
  )
}
