import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { actionIcons } from '../action-icons.tsx'
import { blockableKindOf } from '../allowed/kinds.ts'
import { useBlockedActions } from '../trigger-calls.ts'
import { SetAttributeFields, RaiseFields, WriteFields } from './DeviceActionFields.tsx'
import { DaysEntry } from './DaysEntry.tsx'
import { classes } from './editor-classes.ts'
import { LengthEntry } from './LengthEntry.tsx'
import { EmailFields, TeamsFields, TelegramFields, WebhookFields } from './MessageFields.tsx'
import { fieldId, useEditedTrigger } from './trigger-context.ts'
import {
  actionsOf,
  daysPlaceOf,
  type DraftAction,
  type DraftActionType,
  newAction,
  withAction,
  withoutAction,
} from './trigger-draft.ts'
import { SwitchEntry } from './TriggerFields.tsx'

const types = Object.keys(actionIcons) as DraftActionType[] // its keys are these

/** Actions of a trigger, each with its own fields, and a menu of those that can be added. */
export function ActionFields() {
  const t = useWords()
  const { draft, edit, locked } = useEditedTrigger()
  const actions = actionsOf(draft)
  return (
    <div className={classes.fields} id={fieldId('actions')} tabIndex={-1}>
      {actions.length === 0 && <p className={classes.note}>{t('trigger-editor.noActions')}</p>}
      {actions.map(({ action, place }, index) => (
        <ActionCard key={action.uuid} action={action} place={place} number={index + 1} />
      ))}
      {!locked && (
        <Menu position="bottom-start">
          <Menu.Target>
            <Button
              className={classes.start}
              variant="default"
              leftSection={<IconPlus size={14} stroke={2} />}
            >
              {t('trigger-editor.addAction')}
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {types.map((type) => (
              <Menu.Item
                key={type}
                leftSection={actionIcons[type]}
                onClick={() => edit((before) => withAction(before, newAction(type)))}
              >
                {t(`trigger-editor.action.${type}`)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </div>
  )
}

type CardProps = { action: DraftAction; place: string; number: number }

function ActionCard({ action, place, number }: CardProps) {
  const t = useWords()
  const { edit, faultOf, locked } = useEditedTrigger()
  const { data: blocked } = useBlockedActions()
  const { type, uuid } = action
  const kind = blockableKindOf(type)
  const blockedReason = kind && blocked?.longreach.reasons[kind]
  const daysPlace = daysPlaceOf(action)
  const name = type === 'SHARE_DASHBOARD' ? type : t(`trigger-editor.action.${type}`)
  const fault = faultOf(place) ?? faultOf(`${place}.type`)
  return (
    <fieldset className={classes.part}>
      <legend className={classes.hidden}>
        {t('trigger-editor.actionNumber', { number, name })}
      </legend>
      <div className={classes.actionHead}>
        <span className={classes.actionName}>
          {type !== 'SHARE_DASHBOARD' && actionIcons[type]}
          <b>{name}</b>
        </span>
        <SwitchEntry place={`${place}.disabled`} label={t('trigger-editor.actionOn')} isOff />
        {!locked && (
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('trigger-editor.removeAction', { number, name })}
            onClick={() => edit((before) => withoutAction(before, uuid))}
          >
            <IconTrash size={16} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      {blockedReason && (
        <ErrorPanel tone="warning" message={t(`trigger.blockedOf.${blockedReason}`)} />
      )}
      {fault !== undefined && <p className={classes.fault}>{fault}</p>}
      <OwnFields action={action} place={place} />
      <div className={classes.pair}>
        <LengthEntry
          place={`${place}.throttlingIntervalInMSec`}
          label={t('trigger-editor.throttle')}
          help={t('trigger-editor.throttleHelp')}
        />
        {daysPlace !== undefined && (
          <DaysEntry
            place={`${place}.${daysPlace}`}
            label={t('trigger-editor.days')}
            help={t('trigger-editor.daysHelp')}
          />
        )}
      </div>
    </fieldset>
  )
}

/** Fields that only this type of action has. */
function OwnFields({ action, place }: { action: DraftAction; place: string }) {
  switch (action.type) {
    case 'EMAIL_ACTION':
      return <EmailFields place={`${place}.emailConfig`} />
    case 'WEBHOOK_ACTION':
      return <WebhookFields place={`${place}.webhookConfig`} action={action} />
    case 'TELEGRAM_ACTION':
      return <TelegramFields place={`${place}.telegramConfig`} uuid={action.uuid} />
    case 'TEAMS_ACTION':
      return <TeamsFields place={`${place}.teamsConfig`} uuid={action.uuid} />
    case 'ATTRIBUTE_ACTION':
      return <SetAttributeFields place={`${place}.attribute`} action={action} />
    case 'WRITE':
      return <WriteFields place={place} action={action} />
    case 'ALARM':
      return <RaiseFields place={place} />
    case 'SHARE_DASHBOARD':
      return null
  }
}
