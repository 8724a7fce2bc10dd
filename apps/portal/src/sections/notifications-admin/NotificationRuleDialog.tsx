import { ActionButton } from '@longreach/ui/ActionButton'
import { FormDialog } from '@longreach/ui/FormDialog'
import { useWords } from '@longreach/ui/use-words'
import {
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { severitiesOf, severityNames } from '../../parts/alarms/severity.ts'
import { stale } from '../../parts/api/api.ts'
import {
  type NotificationRule,
  notificationsApi,
} from '../../parts/notifications/notification-calls.ts'
import { besideForm, useErrorText } from '../../parts/words/error-text.ts'
import { useChannels, useMayNot, useOwnOrganization } from './admin-calls.ts'
import { useRecipientNames } from './recipient-names.ts'
import { RemovalDialog } from './RemovalDialog.tsx'
import {
  groupNames,
  hasOwnTimes,
  newRuleDraft,
  type RuleDraft,
  toBody,
  toDraft,
} from './rule-draft.ts'
import { RuleMoreFields } from './RuleMoreFields.tsx'

type Props = {
  /** Absent: a new one. */
  rule?: NotificationRule
  onClose: () => void
}

/** Form of a notification rule. */
export function NotificationRuleDialog({ rule, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const query = useOwnOrganization()
  const [draft, setDraft] = useState(() => (rule ? toDraft(rule) : newRuleDraft()))
  const [isDeleting, setDeleting] = useState(false)
  const reason = useMayNot(rule ? 'notifications:update' : 'notifications:create')
  const set = (part: Partial<RuleDraft>) => setDraft({ ...draft, ...part })
  const save = useMutation({
    mutationFn: () => {
      const body = toBody(draft, rule)
      return rule
        ? notificationsApi.replaceNotification({ params: { id: rule.id }, query, body })
        : notificationsApi.createNotification({ query, body })
    },
    onSuccess: async () => {
      await stale(notificationsApi.notifications)
      onClose()
    },
  })
  const failure = save.error ? errorText(save.error) : undefined
  const { at, below } = besideForm(failure, ['name'])
  const recipientFault = Object.entries(at).find(([field]) =>
    field.startsWith('recipientFilters'),
  )?.[1]
  if (rule && isDeleting) return <DeleteRule rule={rule} onClose={onClose} />
  return (
    <FormDialog
      size="lg"
      title={rule ? rule.name : t('notifications-admin.newRule')}
      verb={t('notifications-admin.save')}
      pending={save.isPending}
      error={recipientFault === undefined ? (reason ? t(reason) : below) : undefined}
      onSubmit={() => save.mutate()}
      onClose={onClose}
    >
      <TextInput
        data-autofocus
        required
        label={t('notifications-admin.name')}
        value={draft.name}
        maxLength={200}
        error={at['name']}
        onChange={(event) => set({ name: event.currentTarget.value })}
      />
      <RuleFields draft={draft} set={set} recipientFault={recipientFault} />
      <RuleMoreFields draft={draft} set={set} isFixed={hasOwnTimes(rule)} faults={at} />
      {rule && <DeleteRuleButton onClick={() => setDeleting(true)} />}
    </FormDialog>
  )
}

type FieldsProps = {
  draft: RuleDraft
  set: (part: Partial<RuleDraft>) => void
  recipientFault: string | undefined
}

function RuleFields({ draft, set, recipientFault }: FieldsProps) {
  const t = useWords()
  const channels = useChannels().data?.data ?? []
  const names = useRecipientNames()
  return (
    <>
      <Select
        label={t('notifications-admin.from')}
        description={t('notifications-admin.fromHelp')}
        value={draft.severity}
        data={severityNames.map((name) => ({
          value: String(Math.min(...severitiesOf[name])),
          label: t(`alarm.severity.${name}`),
        }))}
        onChange={(severity) => set({ severity: severity ?? '0' })}
        allowDeselect={false}
      />
      <TagsInput
        label={t('notifications-admin.names')}
        description={t('notifications-admin.namesHelp')}
        value={draft.names}
        onChange={(names) => set({ names })}
      />
      <TagsInput
        label={t('notifications-admin.recipients')}
        description={t('notifications-admin.recipientsHelp')}
        data={names.suggestions}
        value={draft.recipients.map(names.toShown)}
        error={recipientFault}
        onChange={(shown) => set({ recipients: shown.map(names.toKept) })}
      />
      <MultiSelect
        label={t('notifications-admin.channels')}
        value={draft.channels}
        data={[
          { value: 'inbox', label: t('notifications-admin.channel.inbox') },
          { value: 'mail', label: t('notifications-admin.channel.mail') },
          ...channels.map(({ id, name }) => ({ value: id, label: name })),
        ]}
        onChange={(chosen) => set({ channels: chosen })}
      />
      <NumberInput
        label={t('notifications-admin.ackTime')}
        description={t('notifications-admin.ackTimeHelp')}
        value={draft.ackTime}
        min={0}
        max={10_080}
        allowDecimal={false}
        onChange={(minutes) => set({ ackTime: Number(minutes) || 0 })}
      />
      <Select
        label={t('notifications-admin.group')}
        value={draft.group}
        data={groupNames.map((value) => ({
          value,
          label: t(`notifications-admin.groups.${value}`),
        }))}
        onChange={(group) => set({ group: group ?? 'organization' })}
        allowDeselect={false}
      />
      <Checkbox
        label={t('notifications-admin.onReturn')}
        checked={draft.onReturn}
        onChange={(event) => set({ onReturn: event.currentTarget.checked })}
      />
      <Switch
        label={t('notifications-admin.enabled')}
        checked={draft.enabled}
        onChange={(event) => set({ enabled: event.currentTarget.checked })}
      />
    </>
  )
}

function DeleteRuleButton({ onClick }: { onClick: () => void }) {
  const t = useWords()
  const reason = useMayNot('notifications:delete')
  return (
    <ActionButton
      variant="default"
      style={{ justifySelf: 'start' }}
      reason={reason && t(reason)}
      onClick={onClick}
    >
      {t('notifications-admin.delete')}
    </ActionButton>
  )
}

function DeleteRule({
  rule: { id, name },
  onClose,
}: {
  rule: NotificationRule
  onClose: () => void
}) {
  const t = useWords()
  const query = useOwnOrganization()
  return (
    <RemovalDialog
      name={name}
      text={t('notifications-admin.deleteRuleText')}
      remove={async () => {
        await notificationsApi.deleteNotification({ params: { id }, query })
        await stale(notificationsApi.notifications)
      }}
      onClose={onClose}
    />
  )
}
