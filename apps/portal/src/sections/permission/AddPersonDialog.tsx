import { AppError } from '@longreach/kit/errors'
import { FormShell } from '@longreach/ui/FormShell'
import { useToast } from '@longreach/ui/Toasts'
import { type Translate, useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Alert, Button, MultiSelect, TextInput } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
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
    <Dialog
      onClose={onClose}
      closeOnClickOutside={made === undefined}
      title={made ? made.username : t(word)}
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
    </Dialog>
  )
}

/** The link or the secret that an administrator hands over; nothing when a mail went out. */
function onceOf(person: ChangedPerson, t: Translate) {
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
type Faults = Partial<Record<string, string>>

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
        username: nameOfDraft(facts),
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
  const [tried, setTried] = useState(false)
  const failure = create.error ? errorText(create.error) : undefined
  const shown = shownOf(service)
  const isNameless = nameOfDraft(facts) === ''
  const fields: Faults =
    tried && isNameless ? { [shown[0]]: t('errors.field.required') } : (failure?.fields ?? {})
  const inField = [...shown, 'memberOf', 'rolesId'].some((field) => fields[field] !== undefined)
  return (
    <FormShell
      verb={t(service ? 'permission.create' : 'permission.inviteVerb')}
      pending={create.isPending}
      error={inField ? undefined : failure?.message}
      onCancel={onClose}
      onSubmit={() => {
        setTried(true)
        if (isNameless) form.current?.querySelector('input')?.focus()
        else create.mutate()
      }}
    >
      <div ref={form} style={{ display: 'contents' }}>
        <Facts {...{ service, facts, fields }} onChange={setFacts} />
        <Belongings
          groups={groups}
          roles={roles}
          fields={fields}
          onGroups={setGroups}
          onRoles={setRoles}
        />
        <WithoutRole groups={groups} roles={roles} service={service} />
        {!service && isTaken(create.error) && (
          <InviteKnown
            username={nameOfDraft(facts)}
            wish={{ memberOf: groups.map(Number), rolesId: roles.map(Number) }}
            onClose={onClose}
          />
        )}
      </div>
    </FormShell>
  )
}

/** Fields in their order: the address first for a person invited by mail, the name alone for a service account. */
const shownOf = (service: boolean): readonly [Field, ...Field[]] =>
  service ? ['username'] : ['email', 'firstName', 'lastName', 'username']

type FactsProps = {
  service: boolean
  facts: typeof empty
  fields: Faults
  onChange: (facts: typeof empty) => void
}

/** Address and names. */
function Facts({ service, facts, fields, onChange }: FactsProps) {
  const t = useWords()
  return shownOf(service).map((field, index) => (
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
      onChange={(event) => onChange({ ...facts, [field]: event.currentTarget.value })}
    />
  ))
}

type WithoutProps = Pick<BelongingsProps, 'groups' | 'roles'> & { service: boolean }

/** Says that nothing is given, while no role and no group with roles is chosen. */
function WithoutRole({ groups, roles, service }: WithoutProps) {
  const t = useWords()
  const known = useGroups().data?.content ?? []
  const carries = known.some(({ id, rolesId }) => groups.includes(String(id)) && rolesId.length > 0)
  if (roles.length > 0 || carries) return null
  return (
    <Alert color="yellow" icon={<IconAlertTriangle size={18} stroke={1.8} />}>
      {t(service ? 'permission.serviceWithoutRole' : 'permission.withoutRole')}
    </Alert>
  )
}

const nameOfDraft = ({ username, email }: typeof empty) => username.trim() || email.trim()
const isTaken = (error: unknown) =>
  error instanceof AppError && error.code === 'core.username_taken'

type Known = {
  username: string
  wish: { memberOf: number[]; rolesId: number[] }
  onClose: () => void
}

/** Somebody has the name already: they are invited to join with the account that they have. */
function InviteKnown({ username, wish, onClose }: Known) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const org = useOrg()
  const invite = useMutation({
    mutationFn: () => api.core.inviteUser({ params: { org }, body: { ...wish, username } }),
    onSuccess: async ({ outcome }) => {
      const joined = outcome === 'JOINED'
      const word = joined ? 'permission.joinedKnown' : 'permission.invitedKnown'
      toast({ kind: 'done', message: t(word, { name: username }) })
      onClose()
      await Promise.all([peopleChanged(), stale(api.core.invitations)])
    },
  })
  return (
    <Alert>
      <p style={{ margin: '0 0 8px' }}>{t('permission.inviteKnownText', { name: username })}</p>
      <Button size="xs" loading={invite.isPending} onClick={() => invite.mutate()}>
        {t('permission.inviteKnown')}
      </Button>
      {invite.error && (
        <p role="alert" style={{ margin: '8px 0 0' }}>
          {errorText(invite.error).message}
        </p>
      )}
    </Alert>
  )
}

type BelongingsProps = {
  groups: string[]
  roles: string[]
  fields: Partial<Record<string, string>>
  onGroups: (groups: string[]) => void
  onRoles: (roles: string[]) => void
}

/** Groups and roles that a new person gets from the beginning. */
export function Belongings({ groups, roles, fields, onGroups, onRoles }: BelongingsProps) {
  const t = useWords()
  const may = useMay()
  const knownGroups = useGroups().data?.content ?? []
  const knownRoles = useRoles().data?.content ?? []
  return (
    <>
      {may('usergroups:read') && knownGroups.length > 0 && (
        <MultiSelect
          openOnFocus={false}
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
          openOnFocus={false}
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
