import { Button, TextInput } from '@mantine/core'
import { AppError } from '@longreach/kit/errors'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { type FormEvent, useEffect, useState } from 'react'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { readCookie, writeCookie } from '@longreach/ui/cookies'
import { reportProblem } from '../../parts/api/problems.ts'
import { inTab } from '../../parts/kept/remembered.ts'
import type { Problem } from '../start/boot.ts'
import { SignInHeading } from './SignInHeading.tsx'

type State = { pending: boolean; field?: string; error?: string }

/** Asks for the organization where the host name does not tell it; then identity asks who it is. */
export function LoginPage({ problem }: { problem: Problem | undefined }) {
  const t = useWords()
  const [name, setName] = useState(() => readCookie('ccdeforg') ?? '')
  const [state, setState] = useState<State>({ pending: false })
  const [open, setOpen] = useState(false)
  useEffect(() => {
    earlyCalls
      .onboarding({})
      .then((facts) => setOpen(facts.open))
      .catch((cause: unknown) => reportProblem('Whether people may register is not known', cause))
  }, [])
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    const typed = name.trim().toLowerCase()
    if (typed === '') return setState({ pending: false, field: t('door.login.empty') })
    setState({ pending: true })
    try {
      const { hostname } = location
      const { realmName } = await earlyCalls.loginInfo({ query: { hostname, realm: typed } })
      writeCookie('ccdeforg', realmName)
      inTab.drop('scope')
      inTab.set('realm', realmName)
      location.assign('/')
    } catch (error) {
      const unknown = error instanceof AppError && error.status < 500
      setState({
        pending: false,
        ...(unknown ? { field: t('door.login.unknown') } : { error: t('door.lookupFailed') }),
      })
    }
  }
  return (
    <>
      <SignInHeading title={t('door.login.title')}>{t('door.login.text')}</SignInHeading>
      {problem !== undefined && (
        <div style={{ marginBottom: 16 }}>
          <ErrorPanel message={t(problem.id, problem.values)} />
        </div>
      )}
      <FormShell
        verb={t('door.login.go')}
        pending={state.pending}
        error={state.error}
        onSubmit={(event) => void submit(event)}
        wide
      >
        <TextInput
          size="sm"
          label={t('door.login.organization')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          error={state.field}
          autoComplete="organization"
          autoCapitalize="none"
          spellCheck={false}
          // The one thing to do on this page.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
        />
      </FormShell>
      {open && (
        <Button component="a" href="/register" variant="subtle" mt="md" fullWidth>
          {t('door.login.register')}
        </Button>
      )}
    </>
  )
}
