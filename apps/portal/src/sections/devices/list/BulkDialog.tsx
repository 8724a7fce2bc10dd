import { useWords } from '@longreach/ui/use-words'
import { FormDialog } from '@longreach/ui/FormDialog'
import { TagsInput, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { watchJob } from '../../../parts/jobs/jobs.ts'
import {
  actionOf,
  type BulkAction,
  type BulkDraft,
  type BulkKind,
  type BulkProps,
  type ChangeKind,
  emptyDraft,
} from './bulk-kinds.ts'
import { whenDone } from './bulk-watch.ts'
import { GroupSelect } from './GroupSelect.tsx'
import { MoveManyDialog } from './MoveManyDialog.tsx'
import { PresetSelect } from '../PresetSelect.tsx'
import shared from '../devices.module.css'
import classes from './BulkDialog.module.css'

/** Asks what an action needs, and starts it as long work with its progress in the top bar. */
export function BulkDialog({ kind, ...props }: BulkProps & { kind: BulkKind }) {
  if (kind === 'move') return <MoveManyDialog {...props} />
  return <ChangeDialog kind={kind} {...props} />
}

type Props = BulkProps & { kind: ChangeKind }

function ChangeDialog({ kind, count, selection, organization, onClose, onStarted }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const [draft, setDraft] = useState(emptyDraft)
  const [tried, setTried] = useState(false)
  const action = actionOf(kind, draft)
  const missing = typeof action === 'string' ? action : undefined
  const title = t(`devices.bulk.${kind}`)
  const start = useMutation({
    mutationFn: (one: BulkAction) => {
      const label = `${title} (${count})`
      return api.mappings.changeDevices({
        query: { organization },
        body: { action: one, selection, label },
      })
    },
    onSuccess: async ({ id }) => {
      onClose()
      onStarted()
      whenDone(id, organization.replace(/\.\*$/, ''))
      await watchJob('mappings')
    },
  })
  const failure = start.error ? errorText(start.error) : undefined
  const fields = failure?.fields ?? {}
  const atField = Object.keys(fields).length > 0
  return (
    <FormDialog
      onClose={onClose}
      title={kind === 'delete' ? t('devices.deleteBulkVerb', { count }) : title}
      verb={t(kind === 'delete' ? 'devices.deleteBulkVerb' : 'devices.bulkVerb', { count })}
      dangerous={kind === 'delete'}
      pending={start.isPending}
      error={failure && !atField ? failure.message : undefined}
      onSubmit={() => {
        setTried(true)
        if (typeof action !== 'string') start.mutate(action)
      }}
    >
      <Fields
        {...{ kind, draft, count, organization }}
        error={tried && missing !== undefined ? t(missing, { count }) : Object.values(fields)[0]}
        onChange={(part) => setDraft({ ...draft, ...part })}
      />
    </FormDialog>
  )
}

type FieldsProps = Pick<Props, 'kind' | 'count' | 'organization'> & {
  draft: BulkDraft
  error: string | undefined
  onChange: (part: Partial<BulkDraft>) => void
}

function Fields({ kind, draft, count, organization, error, onChange }: FieldsProps) {
  const t = useWords()
  switch (kind) {
    case 'addTags':
    case 'removeTags':
      return (
        <TagsField
          first
          {...{ organization, error }}
          value={draft.tags}
          onChange={(tags) => onChange({ tags })}
        />
      )
    case 'addToGroup':
    case 'removeFromGroup':
      return (
        <GroupSelect
          first
          value={draft.group}
          error={error}
          onChange={(group) => onChange({ group })}
        />
      )
    case 'setPreset':
      return (
        <>
          <PresetSelect
            first
            value={draft.presetId}
            onChange={(presetId) => onChange({ presetId })}
          />
          <p className={shared.dim}>{t('devices.presetBulk', { count })}</p>
        </>
      )
    case 'setAttribute':
      return <AttributeFields {...{ draft, error, onChange }} />
    case 'delete':
      return <p className={classes.plain}>{t('devices.deleteBulk', { count })}</p>
  }
}

type AttributeProps = Pick<FieldsProps, 'draft' | 'error' | 'onChange'>

function AttributeFields({ draft, error, onChange }: AttributeProps) {
  const t = useWords()
  return (
    <>
      <TextInput
        data-autofocus
        label={t('devices.attributeKey')}
        value={draft.key}
        maxLength={200}
        error={error}
        onChange={(event) => onChange({ key: event.currentTarget.value })}
      />
      <TextInput
        label={t('devices.attributeValue')}
        description={t('devices.attributeHelp')}
        value={draft.value}
        onChange={(event) => onChange({ value: event.currentTarget.value })}
      />
    </>
  )
}

type TagsProps = {
  organization: string
  value: string[]
  error?: string | undefined
  /** The first field of its dialog. */
  first?: boolean
  onChange: (tags: string[]) => void
}

/** Tags, with those in use to choose from. */
export function TagsField({ organization, value, error, first = false, onChange }: TagsProps) {
  const t = useWords()
  const { data } = useQuery(query(api.mappings.deviceFacets, { query: { organization } }))
  return (
    <TagsInput
      openOnFocus={false}
      {...(first && { 'data-autofocus': true })}
      label={t('devices.tags')}
      description={t('devices.tagsHelp')}
      data={data?.tags.map((tag) => tag.value) ?? []}
      value={value}
      maxTags={100}
      error={error}
      acceptValueOnBlur
      onChange={onChange}
    />
  )
}
