import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Group, SegmentedControl } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type KeptSource, SourceListing } from './agent-answers.ts'
import { refusedField } from '../../../parts/presets/agent-refusal.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'
import { PickedTags } from './PickedTags.tsx'
import { SourceBrowser } from './SourceBrowser.tsx'
import { SourceFields } from './SourceFields.tsx'
import {
  cleaned,
  type Draft,
  isSourceType,
  newDraft,
  refusedPart,
  type SourceType,
  sourceTypes,
  type Tag,
  toggled,
} from './source-rules.ts'
import { TestSteps } from './TestSteps.tsx'
import classes from './sources.module.css'

type Props = {
  deviceId: string
  listing: SourceListing
  /** The source that is changed; undefined for one more. */
  source: KeptSource | undefined
  onClose: () => void
  onSaved: (listing: SourceListing) => void
}

/** A machine to read: how it is reached, whether it answers, and which of its values are tags. */
export function SourceDialog({ deviceId, listing, source, onClose, onSaved }: Props) {
  const t = useWords()
  const text = useAgentErrorText()
  const ask = useAgentCommand(deviceId)
  const names = listing.sources.map((one) => one.source.name)
  const [draft, setDraft] = useState<Draft>(() => draftOf(source) ?? newDraft('modbus', names))
  const replaces = source ? { replaces: source.source.name } : {}
  const taken = useMemo(() => tagsOfOthers(listing, source), [listing, source])
  const save = useMutation({
    mutationFn: () => {
      const input = { version: listing.version, source: cleaned(draft), ...replaces }
      return ask({ command: 'sources.save', input }, SourceListing)
    },
    onSuccess: onSaved,
  })
  const message = save.error ? text(save.error, t('gateway.noAnswer')) : ''
  const wrong = wrongPart(save.error, message)
  const change = (next: Draft) => {
    save.reset()
    setDraft(next)
  }
  return (
    <Dialog
      onClose={onClose}
      size={900}
      title={source ? t('gateway.edit', { name: source.source.name }) : t('gateway.add')}
    >
      <form
        className={classes.stack}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        {!source && <Kind type={draft.type} onChoose={(type) => change(newDraft(type, names))} />}
        <SourceFields
          draft={draft}
          hasPassword={source?.hasPassword ?? false}
          onChange={change}
          {...wrong.field}
        />
        <TestSteps key={draft.type} deviceId={deviceId} draft={draft} {...replaces} />
        <SourceBrowser
          key={`browse ${draft.type}`}
          deviceId={deviceId}
          draft={draft}
          {...replaces}
          onChange={change}
          onToggle={(tag: Tag) => change(toggled(draft, tag, taken))}
        />
        <PickedTags draft={draft} onChange={change} {...wrong.tag} />
        {wrong.rest !== undefined && <ErrorPanel message={wrong.rest} />}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t('ui.cancel')}
          </Button>
          <Button type="submit" loading={save.isPending} disabled={draft.tags.length === 0}>
            {t('gateway.save', { count: draft.tags.length })}
          </Button>
        </Group>
      </form>
    </Dialog>
  )
}

/** Part of the form that shows a refusal's message: a field, a tag, or the end of the form. */
function wrongPart(error: unknown, message: string) {
  if (!error) return {}
  const { key, tag } = refusedPart(refusedField(error))
  if (key !== undefined) return { field: { wrong: { key, message } } }
  if (tag !== undefined) return { tag: { wrong: { tag, message } } }
  return { rest: message }
}

function Kind({ type, onChoose }: { type: SourceType; onChoose: (type: SourceType) => void }) {
  const t = useWords()
  return (
    <div className={classes.wide}>
      <SegmentedControl
        aria-label={t('gateway.kind')}
        value={type}
        onChange={(next) => isSourceType(next) && onChoose(next)}
        data={sourceTypes.map((one) => ({ value: one, label: t(`gateway.type.${one}`) }))}
      />
    </div>
  )
}

function draftOf(source: KeptSource | undefined): Draft | undefined {
  if (!source || !isSourceType(source.source.type)) return undefined
  const { name, type, tags, ...rest } = source.source
  return { ...rest, name, type, tags }
}

/** Names of tags are unique in a gateway. */
const tagsOfOthers = (listing: SourceListing, source: KeptSource | undefined) =>
  new Set(
    listing.sources
      .filter((one) => one.source.name !== source?.source.name)
      .flatMap((one) => one.source.tags.map(({ name }) => name)),
  )
