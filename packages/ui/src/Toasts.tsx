import { Button, CloseButton } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from 'react'
import classes from './Toasts.module.css'
import { useWords } from './use-words.ts'

type Toast = {
  message: string
  /** Result of the action: `failed` stays until it is closed, `done` disappears by itself. */
  kind?: 'done' | 'failed'
  /** `Undo` for what can be taken back. */
  action?: { label: string; run: () => void }
}

type Shown = Toast & { id: number }
const ToastContext = createContext<((toast: Toast) => void) | undefined>(undefined)
const staysMs = 6_000
let last = 0

/** `toast({ message, action })`: say at the edge of the page what has happened. */
export function useToast() {
  const show = use(ToastContext)
  if (show === undefined) throw new Error('useToast needs Toasts above it')
  return show
}

/** Area of the page that shows toasts; a screen reader speaks them. */
export function Toasts({ children }: { children: ReactNode }) {
  const [shown, setShown] = useState<readonly Shown[]>([])
  const show = useCallback((toast: Toast) => {
    last += 1
    const id = last
    setShown((before) => [...before.slice(-3), { ...toast, id }])
  }, [])
  const close = useCallback(
    (id: number) => setShown((before) => before.filter((toast) => toast.id !== id)),
    [],
  )
  return (
    <ToastContext value={show}>
      {children}
      <div className={classes.stack} role="status" aria-live="polite">
        {shown.map((toast) => (
          <One key={toast.id} toast={toast} onClose={close} />
        ))}
      </div>
    </ToastContext>
  )
}

function One({ toast, onClose }: { toast: Shown; onClose: (id: number) => void }) {
  const t = useWords()
  const { id, kind = 'done', message, action } = toast
  const [held, setHeld] = useState(false)
  useEffect(() => {
    if (held || kind === 'failed') return undefined
    const timer = setTimeout(() => onClose(id), staysMs)
    return () => clearTimeout(timer)
  }, [held, kind, id, onClose])
  const Icon = kind === 'failed' ? IconAlertTriangle : IconCheck
  return (
    <div
      className={classes.toast}
      data-kind={kind}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={18} stroke={1.8} className={classes.icon} />
      <span className={classes.message}>{message}</span>
      {action && (
        <Button
          variant="subtle"
          size="compact-sm"
          onClick={() => {
            action.run()
            onClose(id)
          }}
        >
          {action.label}
        </Button>
      )}
      <CloseButton aria-label={t('ui.close')} onClick={() => onClose(id)} />
    </div>
  )
}
