const en = {
  invitationTitle: 'Welcome to {organization}',
  invitationText: 'Your user name is {username}. Choose a password to start.',
  firstName: 'First name',
  lastName: 'Last name',
  repeatThisPassword: 'Repeat the password',
  accept: 'Accept invitation',
  emailTitle: 'Confirm your email address',
  emailText: '{email} will be the email address of {username}.',
  confirmAddress: 'Confirm email address',
  confirmedTitle: 'Email address confirmed',
  confirmedText: 'Emails will be sent to this address from now on.',
  forgotten: 'Forgot your password?',
  forgottenTitle: 'Set a new password',
  forgottenText: 'We will send a link to the email address of your account.',
  forgottenName: 'User name or email address',
  forgottenSend: 'Send link',
  forgottenEmpty: 'Enter your user name or email address.',
  forgottenSentTitle: 'Check your email',
  forgottenSentText:
    'If an account exists for {name}, a link is sent to its email address. It is valid for 15 minutes.',
  forgottenHandText:
    'This installation does not send email. Ask your administrator for a link to set a new password.',
  forgottenBack: 'Back to sign-in',
}
export type LinkWord = keyof typeof en
type Words = Record<LinkWord, string>

const de: Words = {
  invitationTitle: 'Willkommen bei {organization}',
  invitationText: 'Ihr Benutzername ist {username}. Wählen Sie ein Passwort.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  repeatThisPassword: 'Passwort wiederholen',
  accept: 'Einladung annehmen',
  emailTitle: 'E-Mail-Adresse bestätigen',
  emailText: '{email} wird die E-Mail-Adresse von {username}.',
  confirmAddress: 'E-Mail-Adresse bestätigen',
  confirmedTitle: 'E-Mail-Adresse bestätigt',
  confirmedText: 'E-Mails werden ab jetzt an diese Adresse gesendet.',
  forgotten: 'Passwort vergessen?',
  forgottenTitle: 'Neues Passwort festlegen',
  forgottenText: 'Wir senden einen Link an die E-Mail-Adresse Ihres Kontos.',
  forgottenName: 'Benutzername oder E-Mail-Adresse',
  forgottenSend: 'Link senden',
  forgottenEmpty: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
  forgottenSentTitle: 'Prüfen Sie Ihr Postfach',
  forgottenSentText:
    'Wenn es für {name} ein Konto gibt, wird ein Link an dessen E-Mail-Adresse gesendet. Er ist 15 Minuten gültig.',
  forgottenHandText:
    'Diese Installation versendet keine E-Mails. Bitten Sie Ihren Administrator um einen Link für ein neues Passwort.',
  forgottenBack: 'Zurück zur Anmeldung',
}

const es: Words = {
  invitationTitle: 'Le damos la bienvenida a {organization}',
  invitationText: 'Su nombre de usuario es {username}. Elija una contraseña para empezar.',
  firstName: 'Nombre',
  lastName: 'Apellidos',
  repeatThisPassword: 'Repita la contraseña',
  accept: 'Aceptar la invitación',
  emailTitle: 'Confirme su dirección de correo',
  emailText: '{email} será la dirección de correo de {username}.',
  confirmAddress: 'Confirmar la dirección de correo',
  confirmedTitle: 'Dirección de correo confirmada',
  confirmedText: 'A partir de ahora los correos se enviarán a esta dirección.',
  forgotten: '¿Ha olvidado su contraseña?',
  forgottenTitle: 'Establecer una contraseña nueva',
  forgottenText: 'Enviaremos un enlace a la dirección de correo de su cuenta.',
  forgottenName: 'Nombre de usuario o dirección de correo',
  forgottenSend: 'Enviar enlace',
  forgottenEmpty: 'Introduzca su nombre de usuario o su dirección de correo.',
  forgottenSentTitle: 'Revise su correo',
  forgottenSentText:
    'Si existe una cuenta para {name}, se enviará un enlace a su dirección de correo. Es válido durante 15 minutos.',
  forgottenHandText:
    'Esta instalación no envía correos. Pida a su administrador un enlace para establecer una contraseña nueva.',
  forgottenBack: 'Volver al inicio de sesión',
}

const fr: Words = {
  invitationTitle: 'Bienvenue chez {organization}',
  invitationText:
    'Votre nom d’utilisateur est {username}. Choisissez un mot de passe pour commencer.',
  firstName: 'Prénom',
  lastName: 'Nom',
  repeatThisPassword: 'Répétez le mot de passe',
  accept: 'Accepter l’invitation',
  emailTitle: 'Confirmez votre adresse e-mail',
  emailText: '{email} sera l’adresse e-mail de {username}.',
  confirmAddress: 'Confirmer l’adresse e-mail',
  confirmedTitle: 'Adresse e-mail confirmée',
  confirmedText: 'Les e-mails seront désormais envoyés à cette adresse.',
  forgotten: 'Mot de passe oublié ?',
  forgottenTitle: 'Définir un nouveau mot de passe',
  forgottenText: 'Nous enverrons un lien à l’adresse e-mail de votre compte.',
  forgottenName: 'Nom d’utilisateur ou adresse e-mail',
  forgottenSend: 'Envoyer le lien',
  forgottenEmpty: 'Saisissez votre nom d’utilisateur ou votre adresse e-mail.',
  forgottenSentTitle: 'Consultez vos e-mails',
  forgottenSentText:
    'S’il existe un compte pour {name}, un lien est envoyé à son adresse e-mail. Il est valable 15 minutes.',
  forgottenHandText:
    'Cette installation n’envoie pas d’e-mails. Demandez à votre administrateur un lien pour définir un nouveau mot de passe.',
  forgottenBack: 'Retour à la connexion',
}

const it: Words = {
  invitationTitle: 'Benvenuto in {organization}',
  invitationText: 'Il tuo nome utente è {username}. Scegli una password per iniziare.',
  firstName: 'Nome',
  lastName: 'Cognome',
  repeatThisPassword: 'Ripeti la password',
  accept: 'Accetta l’invito',
  emailTitle: 'Conferma il tuo indirizzo e-mail',
  emailText: '{email} sarà l’indirizzo e-mail di {username}.',
  confirmAddress: 'Conferma l’indirizzo e-mail',
  confirmedTitle: 'Indirizzo e-mail confermato',
  confirmedText: 'D’ora in poi le e-mail verranno inviate a questo indirizzo.',
  forgotten: 'Password dimenticata?',
  forgottenTitle: 'Imposta una nuova password',
  forgottenText: 'Invieremo un link all’indirizzo e-mail del tuo account.',
  forgottenName: 'Nome utente o indirizzo e-mail',
  forgottenSend: 'Invia link',
  forgottenEmpty: 'Inserisci il tuo nome utente o indirizzo e-mail.',
  forgottenSentTitle: 'Controlla la tua e-mail',
  forgottenSentText:
    'Se esiste un account per {name}, un link viene inviato al suo indirizzo e-mail. È valido 15 minuti.',
  forgottenHandText:
    'Questa installazione non invia e-mail. Chiedi al tuo amministratore un link per impostare una nuova password.',
  forgottenBack: 'Torna all’accesso',
}

/** Texts of the pages of links, and of the page for a forgotten password. */
export const linkWords = { en, de, es, fr, it }
