import type { Language } from '../pages/words.ts'
import { sessionIdleS, sessionLongestS } from '../sessions/session-store.ts'

/** Reasons for the end of a session, as the portal passes them to the sign-in page. */
const endings = ['idle', 'longest', 'tab', 'ended'] as const
type Ending = (typeof endings)[number]

const isEnding = (text: unknown): text is Ending => endings.some((one) => one === text)

const words: Record<Language, Record<Ending, string>> = {
  en: {
    idle: 'You were signed out after {minutes} minutes without activity.',
    longest: 'You were signed out {hours} hours after you signed in.',
    tab: 'You were signed out in another tab of this browser.',
    ended: 'Your session was ended on another device or by an administrator.',
  },
  de: {
    idle: 'Sie wurden nach {minutes} Minuten ohne Aktivität abgemeldet.',
    longest: 'Sie wurden {hours} Stunden nach Ihrer Anmeldung abgemeldet.',
    tab: 'Sie wurden in einem anderen Tab dieses Browsers abgemeldet.',
    ended: 'Ihre Sitzung wurde auf einem anderen Gerät oder von einem Administrator beendet.',
  },
  es: {
    idle: 'Se cerró su sesión tras {minutes} minutos sin actividad.',
    longest: 'Se cerró su sesión {hours} horas después de iniciarla.',
    tab: 'Se cerró su sesión en otra pestaña de este navegador.',
    ended: 'Su sesión se cerró desde otro dispositivo o por un administrador.',
  },
  fr: {
    idle: 'Vous avez été déconnecté après {minutes} minutes sans activité.',
    longest: 'Vous avez été déconnecté {hours} heures après votre connexion.',
    tab: 'Vous avez été déconnecté dans un autre onglet de ce navigateur.',
    ended: 'Votre session a été fermée sur un autre appareil ou par un administrateur.',
  },
  it: {
    idle: 'La sessione è terminata dopo {minutes} minuti senza attività.',
    longest: 'La sessione è terminata {hours} ore dopo l’accesso.',
    tab: 'La sessione è stata chiusa in un’altra scheda di questo browser.',
    ended: 'La sessione è stata chiusa da un altro dispositivo o da un amministratore.',
  },
}

/** Sentence about the end of the last session; undefined without a known reason. */
export function endingText(language: Language, ending: unknown) {
  if (!isEnding(ending)) return undefined
  return words[language][ending]
    .replace('{minutes}', String(sessionIdleS / 60))
    .replace('{hours}', String(sessionLongestS / 3600))
}
