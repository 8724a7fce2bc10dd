import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { toTriggerDraft } from '../editor/trigger-draft.ts'
import { sentenceTokens } from '../sentence/sentence-tokens.ts'
import { TriggerSentence } from '../sentence/TriggerSentence.tsx'
import { useSaying } from '../sentence/use-sentence.ts'
import { StoppedNotice } from '../StoppedNotice.tsx'
import { type Trigger, useMayNotChange } from '../trigger-calls.ts'
import { useGroupNames } from '../use-group-names.ts'
import { CounterBar } from './CounterBar.tsx'
import { TriggerState } from './TriggerState.tsx'
import { useSwitch } from './TriggerSwitch.tsx'

const DeleteTrigger = late(() => import('../DeleteTrigger.tsx'), 'DeleteTrigger')

type Props = { trigger: Trigger; onClose: () => void }

/** A trigger beside the list: its sentence, its figures, and the ways to its runs and its editor. */
export function TriggerPanel({ trigger, onClose }: Props) {
  const t = useWords()
  const saying = useSaying()
  const { namesOf } = useGroupNames()
  const { longreach } = trigger
  return (
    <SidePanel
      title={trigger.name}
      facts={<TriggerState trigger={trigger} />}
      actions={<PanelActions trigger={trigger} />}
      onClose={onClose}
    >
      {longreach.stopped && (
        <PanelSection>
          <StoppedNotice trigger={trigger} />
        </PanelSection>
      )}
      <PanelSection>
        <TriggerSentence tokens={sentenceTokens(toTriggerDraft(trigger), saying)} small />
      </PanelSection>
      <PanelSection title={t('trigger.details')}>
        <Facts
          items={[
            { label: t('trigger.devices'), value: namesOf(trigger) },
            {
              label: t('trigger.countersOfDay'),
              value: (
                <CounterBar counters={longreach.counters} most={longreach.counters.counterIn} />
              ),
            },
            { label: t('trigger.lastRun'), value: <RelativeTime at={longreach.lastRunAt} /> },
            {
              label: t('trigger.updated'),
              value: (
                <>
                  {trigger.owner} · <RelativeTime at={trigger.updatedAt} />
                </>
              ),
            },
          ]}
        />
      </PanelSection>
    </SidePanel>
  )
}

function PanelActions({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const [isDeleting, setDeleting] = useState(false)
  const navigate = useNavigate()
  const noCreate = useMayNotChange('create')
  const [noUpdate, noDelete] = [useMayNotChange('update'), useMayNotChange('delete')]
  const change = useSwitch(trigger)
  return (
    <>
      <Button
        component={Link}
        {...linkTo('/trigger/$triggerId', { params: { triggerId: trigger.id } })}
      >
        {t('trigger.open')}
      </Button>
      <ActionButton
        variant="default"
        reason={noUpdate && t(noUpdate)}
        loading={change.isPending}
        onClick={() => change.mutate()}
      >
        {t(trigger.disabled ? 'trigger.switchOn' : 'trigger.switchOff')}
      </ActionButton>
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
      {isDeleting && <DeleteTrigger trigger={trigger} onClose={() => setDeleting(false)} />}
    </>
  )
}
