import { useCopy } from '@longreach/ui/use-copy'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Group } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { accountChanged, useAccount } from './account-calls.ts'
import classes from './account.module.css'
import { AccountFailure } from './SignInAgain.tsx'

/** Codes that are shown this once: to be copied or saved before going on. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useWords()
  const { state, copy } = useCopy()
  const text = `${codes.join('\n')}\n`
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(text)}`
  return (
    <div style={{ display: 'grid', gap: 12 }}>
      <p style={{ margin: 0 }}>{t('account.codesText')}</p>
      <ul className={classes.codes} aria-label={t('account.factor.recovery-authn-codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Button variant="default" onClick={() => void copy(text)}>
            {t(state === 'copied' ? 'account.copied' : 'account.copy')}
          </Button>
          <Button variant="default" component="a" href={file} download="recovery-codes.txt">
            {t('account.saveFile')}
          </Button>
          <span role="status">{state === 'refused' && t('ui.copyRefused')}</span>
        </Group>
        <Button ml="auto" onClick={onDone}>
          {t('account.haveThem')}
        </Button>
      </Group>
    </div>
  )
}

/** New recovery codes in place of the old. */
export function NewCodes({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const account = useAccount()
  const renew = useMutation({ mutationFn: account.renewCodes, onSuccess: () => accountChanged() })
  return (
    <Dialog onClose={onClose} closeOnClickOutside={false} title={t('account.newCodes')}>
      {renew.data ? (
        <RecoveryCodes codes={renew.data.recoveryCodes} onDone={onClose} />
      ) : (
        <div style={{ display: 'grid', gap: 12 }}>
          <p style={{ margin: 0 }}>{t('account.newCodesText')}</p>
          <AccountFailure error={renew.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={onClose}>
              {t('ui.cancel')}
            </Button>
            <Button data-autofocus loading={renew.isPending} onClick={() => renew.mutate()}>
              {t('account.newCodes')}
            </Button>
          </Group>
        </div>
      )}
    </Dialog>
  )
}
