import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { classes } from './editor-classes.ts'
import { useEditedTrigger } from './trigger-context.ts'
import type { DraftAction } from './trigger-draft.ts'
import { ChoiceEntry, LongTextEntry, SecretEntry, TextEntry } from './TriggerFields.tsx'

const templateLength = 20_000

/** Recipients, subject and text of a mail. */
export function EmailFields({ place }: { place: string }) {
  const t = useWords()
  return (
    <>
      <div className={classes.pair}>
        <TextEntry
          place={`${place}.emailTo`}
          label={t('trigger-editor.emailTo')}
          help={t('trigger-editor.addressesHelp')}
          maxLength={5_000}
        />
        <TextEntry
          place={`${place}.emailBcc`}
          label={t('trigger-editor.emailBcc')}
          maxLength={5_000}
        />
      </div>
      <TextEntry
        place={`${place}.subject`}
        label={t('trigger-editor.subject')}
        help={t('trigger-editor.emptyIsUsual')}
        maxLength={1_000}
      />
      <TemplateEntry place={place} />
    </>
  )
}

/** Text of a message with fields in double braces. */
function TemplateEntry({ place, isJson = false }: { place: string; isJson?: boolean }) {
  const t = useWords()
  return (
    <LongTextEntry
      place={`${place}.template`}
      label={t(isJson ? 'trigger-editor.body' : 'trigger-editor.text')}
      help={t('trigger-editor.templateHelp')}
      maxLength={templateLength}
    />
  )
}

const methods = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'] as const
type Webhook = Extract<DraftAction, { type: 'WEBHOOK_ACTION' }>

/** Address, method, headers and body of a call. */
export function WebhookFields({ place, action }: { place: string; action: Webhook }) {
  const t = useWords()
  const { method } = action.webhookConfig
  return (
    <>
      <div className={classes.call}>
        <ChoiceEntry
          place={`${place}.method`}
          label={t('trigger-editor.method')}
          options={methods.map((value) => ({ value, label: value }))}
        />
        <TextEntry place={`${place}.url`} label={t('trigger-editor.url')} maxLength={2_000} />
      </div>
      <HeaderFields place={`${place}.headers`} action={action} />
      {method !== 'GET' && method !== 'DELETE' && <TemplateEntry place={place} isJson />}
    </>
  )
}

/** Headers of a call; their values are secret. */
function HeaderFields({ place, action }: { place: string; action: Webhook }) {
  const t = useWords()
  const { set, faultOf, locked, secrets } = useEditedTrigger()
  const [headers, setHeaders] = useState(() => Object.entries(action.webhookConfig.headers ?? {}))
  const change = (next: [string, string][]) => {
    setHeaders(next)
    set(place, Object.fromEntries(next.filter(([name]) => name !== '')))
  }
  const replace = (index: number, header: [string, string]) =>
    change(headers.map((one, at) => (at === index ? header : one)))
  return (
    <div className={classes.headers}>
      {headers.map(([name, value], index) => (
        // A header has no other name than its place while its name is typed.
        // oxlint-disable-next-line react/no-array-index-key
        <div key={index} className={classes.header}>
          <TextInput
            aria-label={t('trigger-editor.headerName')}
            placeholder={t('trigger-editor.headerName')}
            disabled={locked}
            maxLength={100}
            value={name}
            onChange={(event) => replace(index, [event.currentTarget.value, value])}
          />
          <TextInput
            aria-label={t('trigger-editor.headerValue')}
            placeholder={
              secrets.has(`${action.uuid}/headers.${name}`)
                ? t('trigger-editor.secretKept')
                : t('trigger-editor.headerValue')
            }
            type="password"
            autoComplete="new-password"
            disabled={locked}
            maxLength={4_000}
            value={value}
            onChange={(event) => replace(index, [name, event.currentTarget.value])}
          />
          {!locked && (
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={t('trigger-editor.removeHeader', { name })}
              onClick={() => change(headers.filter((_, at) => at !== index))}
            >
              <IconTrash size={16} stroke={1.7} />
            </ActionIcon>
          )}
        </div>
      ))}
      {faultOf(place) && <p className={classes.fault}>{faultOf(place)}</p>}
      {!locked && (
        <Button
          className={classes.start}
          variant="subtle"
          size="compact-sm"
          leftSection={<IconPlus size={14} stroke={2} />}
          onClick={() => setHeaders([...headers, ['', '']])}
        >
          {t('trigger-editor.addHeader')}
        </Button>
      )}
    </div>
  )
}

type SecretProps = { place: string; uuid: string | undefined }

/** Bot, chat and text of a message to Telegram. */
export function TelegramFields({ place, uuid }: SecretProps) {
  const t = useWords()
  const { secrets } = useEditedTrigger()
  return (
    <>
      <div className={classes.pair}>
        <SecretEntry
          place={`${place}.token`}
          label={t('trigger-editor.botToken')}
          isKept={secrets.has(`${uuid}/token`)}
        />
        <TextEntry place={`${place}.chatId`} label={t('trigger-editor.chatId')} maxLength={100} />
      </div>
      <TemplateEntry place={place} />
    </>
  )
}

/** Address and text of a message to Teams. */
export function TeamsFields({ place, uuid }: SecretProps) {
  const t = useWords()
  const { secrets } = useEditedTrigger()
  return (
    <>
      <SecretEntry
        place={`${place}.endpoint`}
        label={t('trigger-editor.teamsUrl')}
        help={t('trigger-editor.teamsHelp')}
        isKept={secrets.has(`${uuid}/endpoint`)}
      />
      <TemplateEntry place={place} />
    </>
  )
}
