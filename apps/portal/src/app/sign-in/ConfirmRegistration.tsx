import { Button, TextInput } from '@mantine/core'
import { AppError } from '@longreach/kit/errors'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { type FormEvent, useState } from 'react'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { SignInHeading } from './SignInHeading.tsx'
import { Registered } from './Registered.tsx'

type State = { pending: boolean; error?: string; taken?: string; gone?: boolean; realm?: string }

/** The link in the mail: a press makes what was registered, so that a program that opens links makes nothing. */
export function ConfirmRegistration({ token }: { token: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const [state, setState] = useState<State>({ pending: false })
  const [name, setName] = useState('')
  const confirm = async (event: FormEvent) => {
    event.preventDefault()
    setState({ ...state, pending: true })
    try {
      const body = { token, ...(name.trim() !== '' && { name: name.trim() }) }
      const { realmName = '' } = await earlyCalls.confirmOnBoarding({ body })
      setState({ pending: false, realm: realmName })
    } catch (error) {
      const { message, fields } = errorText(error)
      const code = error instanceof AppError ? error.code : ''
      const taken = fields['organization.name'] ?? fields['name']
      if (code === 'core.registration_gone') setState({ pending: false, gone: true })
      else setState({ pending: false, ...(taken === undefined ? { error: message } : { taken }) })
    }
  }
  if (state.realm !== undefined) return <Registered realm={state.realm} email="" />
  if (state.gone === true) {
    return (
      <>
        <SignInHeading title={t('register.gone')}>{t('register.goneText')}</SignInHeading>
        <Button component="a" href="/register" fullWidth size="sm">
          {t('register.again')}
        </Button>
      </>
    )
  }
  return (
    <>
      <SignInHeading title={t('register.confirm')}>{t('register.confirmText')}</SignInHeading>
      <FormShell
        verb={t('register.confirmGo')}
        pending={state.pending}
        error={state.error}
        onSubmit={(event) => void confirm(event)}
        wide
      >
        {(state.taken !== undefined || name !== '') && (
          <TextInput
            size="sm"
            label={t('register.otherName')}
            description={t('register.nameHelp')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={state.taken}
            autoCapitalize="none"
            spellCheck={false}
            // Appears because the first name is taken: the one thing to do then.
            // oxlint-disable-next-line jsx-a11y/no-autofocus
            autoFocus
          />
        )}
      </FormShell>
    </>
  )
}
