import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { Modal, MultiSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useMay } from '../../lib/session.ts'
import { Handover } from './Handover.tsx'
import { type ChangedPerson, peopleChanged, useGroups, useOrg, useRoles } from './people-calls.ts'

type Props = { service: boolean; onClose: () => void }

/** Invites a person, or makes a service account; what is shown once stays until it is closed. */
export function AddPersonDialog({ service, onClose }: Props) {
  const t = useWords()
  const [made, setMade] = useState<ChangedPerson>()
  const shownOnce = made && onceOf(made, t)
  const word = service ? 'permission.addService' : 'permission.invite'
  return (
    <Modal
      opened
      onClose={onClose}
      closeOnClickOutside={made === undefined}
      title={made ? made.username : t(word)}
      closeButtonProps={{ 'aria-label': t('ui.close') }}
    >
      {shownOnce ? (
        <Handover {...shownOnce} onClose={onClose} />
      ) : (
        <NewPersonForm
          service={service}
          onClose={onClose}
          onMade={(person) => (onceOf(person, t) ? setMade(person) : onClose())}
        />
      )}
    </Modal>
  )
}

/** The link or the secret that an administrator hands over; nothing when a mail went out. */
function onceOf(person: ChangedPerson, t: ReturnType<typeof useWords>) {
  const { serviceAccountClient, serviceAccountSecret, invitation, username } = person
  if (serviceAccountSecret !== undefined)
    return {
      text: t('permission.secretText'),
      items: [
        { label: t('permission.client'), value: serviceAccountClient ?? '' },
        { label: t('permission.secret'), value: serviceAccountSecret },
      ],
    }
  if (invitation?.link === undefined) return undefined
  const text = t('permission.handOverText', { name: username })
  return { text, items: [{ label: t('permission.link'), value: invitation.link }] }
}

type FormProps = Props & { onMade: (person: ChangedPerson) => void }
const empty = { username: '', email: '', firstName: '', lastName: '' }
type Field = keyof typeof empty

function NewPersonForm({ service, onClose, onMade }: FormProps) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useOrg()
  const form = useRef<HTMLDivElement>(null)
  const [facts, setFacts] = useState(empty)
  const [groups, setGroups] = useState<string[]>([])
  const [roles, setRoles] = useState<string[]>([])
  const create = useMutation({
    mutationFn: () => {
      const body = {
        ...facts,
        username: facts.username.trim() || facts.email.trim(),
        email: service ? '--' : facts.email.trim(),
        serviceAccount: service,
        memberOf: groups.map(Number),
        rolesId: roles.map(Number),
      }
      return api.core.createUser({ params: { org }, body })
    },
    onSuccess: async (person) => {
      onMade(person)
      await peopleChanged()
    },
    onError: () => setTimeout(() => firstWrong(form.current)?.focus()),
  })
  const failure = create.error ? errorText(create.error) : undefined
  const fields: Partial<Record<string, string>> = failure?.fields ?? {}
  const shown: readonly Field[] = service
    ? ['username']
    : ['email', 'firstName', 'lastName', 'username']
  const inField = [...shown, 'memberOf', 'rolesId'].some((field) => fields[field] !== undefined)
  return (
    <FormShell
      verb={t(service ? 'permission.create' : 'permission.inviteVerb')}
      pending={create.isPending}
      error={inField ? undefined : failure?.message}
      onCancel={onClose}
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <div ref={form} style={{ display: 'contents' }}>
        {shown.map((field, index) => (
          <TextInput
            key={field}
            {...(index === 0 && { 'data-autofocus': true })}
            label={t(`permission.${field}`)}
            description={field === 'username' && !service && t('permission.usernameHelp')}
            type={field === 'email' ? 'email' : 'text'}
            maxLength={255}
            autoComplete="off"
            value={facts[field]}
            error={fields[field]}
            onChange={(event) => setFacts({ ...facts, [field]: event.currentTarget.value })}
          />
        ))}
        <Belongings
          groups={groups}
          roles={roles}
          fields={fields}
          onGroups={setGroups}
          onRoles={setRoles}
        />
      </div>
    </FormShell>
  )
}

type BelongingsProps = {
  groups: string[]
  roles: string[]
  fields: Partial<Record<string, string>>
  onGroups: (groups: string[]) => void
  onRoles: (roles: string[]) => void
}

/** What a new person belongs to from the beginning. */
export function Belongings({ groups, roles, fields, onGroups, onRoles }: BelongingsProps) {
  const t = useWords()
  const may = useMay()
  const knownGroups = useGroups().data?.content ?? []
  const knownRoles = useRoles().data?.content ?? []
  return (
    <>
      {may('usergroups:read') && knownGroups.length > 0 && (
        <MultiSelect
          label={t('permission.groups')}
          searchable
          value={groups}
          error={fields['memberOf']}
          data={knownGroups.map(({ id, name }) => ({ value: String(id), label: name }))}
          onChange={onGroups}
        />
      )}
      {may('roles:read') && (
        <MultiSelect
          label={t('permission.roles')}
          searchable
          value={roles}
          error={fields['rolesId']}
          data={knownRoles.map(({ id, label }) => ({ value: String(id), label }))}
          onChange={onRoles}
        />
      )}
    </>
  )
}

const firstWrong = (form: HTMLElement | null) =>
  form?.querySelector<HTMLElement>('[aria-invalid="true"], [data-error] input')
