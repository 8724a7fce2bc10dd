import { Button, Fieldset, PasswordInput, TextInput } from '@mantine/core'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { door } from '../lib/door-calls.ts'
import { useErrorText } from '../lib/error-text.ts'
import { DoorHeading } from './DoorHeading.tsx'
import classes from './SetupPage.module.css'

const empty = {
  token: '',
  'organization.label': '',
  'organization.name': '',
  'user.firstName': '',
  'user.lastName': '',
  'user.username': '',
  'user.email': '',
  'user.password': '',
}
type Field = keyof typeof empty

/** The first run: the root organization and its owner, with the token that the server's console printed. */
export function SetupPage() {
  const t = useWords()
  const errorText = useErrorText()
  const [state, setState] = useState<{ pending: boolean; error?: string; realm?: string }>({
    pending: false,
  })
  const form = useForm({
    initialValues: empty,
    validateInputOnBlur: true,
    validate: (values) =>
      Object.fromEntries(
        (Object.keys(empty) as Field[])
          .filter((field) => values[field].trim() === '' && !optional.has(field))
          .map((field) => [field, t('door.setup.required')]),
      ),
  })
  const submit = form.onSubmit(async (values) => {
    setState({ pending: true })
    try {
      const made = await door.setup({ body: bodyOf(values) })
      setState({ pending: false, realm: made.organization.realmName })
    } catch (error) {
      const { message, fields } = errorText(error)
      const known = Object.entries(fields).filter(([field]) => Object.hasOwn(empty, field))
      form.setErrors(Object.fromEntries(known))
      setState({ pending: false, ...(known.length === 0 && { error: message }) })
    }
  })
  if (state.realm !== undefined) return <SetupDone realm={state.realm} />
  const field = (name: Field) => ({
    size: 'sm' as const,
    label: t(`door.setup.${name}`),
    spellCheck: false,
    ...form.getInputProps(name),
  })
  return (
    <>
      <DoorHeading title={t('door.setup.title')}>{t('door.setup.text')}</DoorHeading>
      <FormShell
        verb={t('door.setup.go')}
        pending={state.pending}
        error={state.error}
        onSubmit={submit}
        wide
      >
        <TextInput
          {...field('token')}
          description={t('door.setup.tokenHelp')}
          autoComplete="one-time-code"
          className={classes.token}
          autoFocus
        />
        <Fieldset legend={t('door.setup.organization')} className={classes.group}>
          <TextInput {...field('organization.label')} autoComplete="organization" />
          <TextInput
            {...field('organization.name')}
            description={t('door.setup.nameHelp')}
            autoCapitalize="none"
          />
        </Fieldset>
        <Fieldset legend={t('door.setup.owner')} className={classes.group}>
          <div className={classes.pair}>
            <TextInput {...field('user.firstName')} autoComplete="given-name" />
            <TextInput {...field('user.lastName')} autoComplete="family-name" />
          </div>
          <TextInput {...field('user.username')} autoComplete="username" autoCapitalize="none" />
          <TextInput {...field('user.email')} type="email" autoComplete="email" />
          <PasswordInput {...field('user.password')} autoComplete="new-password" />
        </Fieldset>
      </FormShell>
    </>
  )
}

const optional = new Set<Field>([
  'organization.label',
  'user.firstName',
  'user.lastName',
  'user.email',
])

const bodyOf = (values: typeof empty) => ({
  token: values.token,
  organization: {
    name: values['organization.name'].trim(),
    ...(values['organization.label'].trim() !== '' && { label: values['organization.label'] }),
  },
  user: {
    username: values['user.username'],
    email: values['user.email'].trim(),
    firstName: values['user.firstName'],
    lastName: values['user.lastName'],
    password: values['user.password'],
  },
})

function SetupDone({ realm }: { realm: string }) {
  const t = useWords()
  return (
    <>
      <DoorHeading title={t('door.setup.done')}>{t('door.setup.doneText', { realm })}</DoorHeading>
      <Button component="a" href={`/?realm=${encodeURIComponent(realm)}`} fullWidth size="sm">
        {t('door.setup.signIn')}
      </Button>
    </>
  )
}
