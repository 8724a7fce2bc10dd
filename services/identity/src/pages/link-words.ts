const en = {
  invitationTitle: 'Welcome to {organization}',
  invitationText: 'Your user name is {username}. Choose a password to begin.',
  firstName: 'First name',
  lastName: 'Last name',
  repeatThisPassword: 'Repeat the password',
  accept: 'Accept the invitation',
  emailTitle: 'Confirm your e-mail address',
  emailText: '{email} becomes the e-mail address of {username}.',
  confirmAddress: 'Confirm the address',
  confirmedTitle: 'Your address is confirmed',
  confirmedText: 'Mails come to it from now on.',
  forgotten: 'Forgotten your password?',
  forgottenTitle: 'Set a new password',
  forgottenText: 'We send a link to the e-mail address of your account.',
  forgottenName: 'User name or e-mail address',
  forgottenSend: 'Send the link',
  forgottenEmpty: 'Enter your user name or e-mail address.',
  forgottenSentTitle: 'Look into your mail',
  forgottenSentText:
    'If there is an account for {name}, a link is on its way to its e-mail address. It works for 15 minutes.',
  forgottenHandText:
    'No mail is sent here. Ask your administrator for a link to set a new password.',
  forgottenBack: 'Back to signing in',
}
export type LinkWord = keyof typeof en
type Words = Record<LinkWord, string>

const de: Words = {
  invitationTitle: 'Willkommen bei {organization}',
  invitationText: 'Ihr Benutzername ist {username}. Wählen Sie zum Einstieg ein Passwort.',
  firstName: 'Vorname',
  lastName: 'Nachname',
  repeatThisPassword: 'Passwort wiederholen',
  accept: 'Einladung annehmen',
  emailTitle: 'E-Mail-Adresse bestätigen',
  emailText: '{email} wird die E-Mail-Adresse von {username}.',
  confirmAddress: 'Adresse bestätigen',
  confirmedTitle: 'Ihre Adresse ist bestätigt',
  confirmedText: 'E-Mails gehen ab jetzt dorthin.',
  forgotten: 'Passwort vergessen?',
  forgottenTitle: 'Neues Passwort festlegen',
  forgottenText: 'Wir senden einen Link an die E-Mail-Adresse Ihres Kontos.',
  forgottenName: 'Benutzername oder E-Mail-Adresse',
  forgottenSend: 'Link senden',
  forgottenEmpty: 'Geben Sie Ihren Benutzernamen oder Ihre E-Mail-Adresse ein.',
  forgottenSentTitle: 'Sehen Sie in Ihrem Postfach nach',
  forgottenSentText:
    'Wenn es für {name} ein Konto gibt, ist ein Link an dessen E-Mail-Adresse unterwegs. Er gilt 15 Minuten.',
  forgottenHandText:
    'Hier werden keine E-Mails versendet. Bitten Sie Ihre Administration um einen Link für ein neues Passwort.',
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
  emailText: '{email} pasa a ser la dirección de correo de {username}.',
  confirmAddress: 'Confirmar la dirección',
  confirmedTitle: 'Su dirección está confirmada',
  confirmedText: 'A partir de ahora los correos llegan a ella.',
  forgotten: '¿Ha olvidado su contraseña?',
  forgottenTitle: 'Establecer una contraseña nueva',
  forgottenText: 'Enviamos un enlace a la dirección de correo de su cuenta.',
  forgottenName: 'Nombre de usuario o dirección de correo',
  forgottenSend: 'Enviar el enlace',
  forgottenEmpty: 'Escriba su nombre de usuario o su dirección de correo.',
  forgottenSentTitle: 'Mire su correo',
  forgottenSentText:
    'Si hay una cuenta para {name}, hay un enlace en camino a su dirección de correo. Sirve durante 15 minutos.',
  forgottenHandText:
    'Aquí no se envían correos. Pida a su administrador un enlace para establecer una contraseña nueva.',
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
  emailText: '{email} devient l’adresse e-mail de {username}.',
  confirmAddress: 'Confirmer l’adresse',
  confirmedTitle: 'Votre adresse est confirmée',
  confirmedText: 'Les messages y arrivent désormais.',
  forgotten: 'Mot de passe oublié ?',
  forgottenTitle: 'Définir un nouveau mot de passe',
  forgottenText: 'Nous envoyons un lien à l’adresse e-mail de votre compte.',
  forgottenName: 'Nom d’utilisateur ou adresse e-mail',
  forgottenSend: 'Envoyer le lien',
  forgottenEmpty: 'Saisissez votre nom d’utilisateur ou votre adresse e-mail.',
  forgottenSentTitle: 'Consultez vos messages',
  forgottenSentText:
    'S’il existe un compte pour {name}, un lien est en route vers son adresse e-mail. Il sert pendant 15 minutes.',
  forgottenHandText:
    'Aucun message n’est envoyé ici. Demandez à votre administrateur un lien pour définir un nouveau mot de passe.',
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
  emailText: '{email} diventa l’indirizzo e-mail di {username}.',
  confirmAddress: 'Conferma l’indirizzo',
  confirmedTitle: 'Il tuo indirizzo è confermato',
  confirmedText: 'D’ora in poi le e-mail arrivano lì.',
  forgotten: 'Password dimenticata?',
  forgottenTitle: 'Imposta una nuova password',
  forgottenText: 'Inviamo un link all’indirizzo e-mail del tuo account.',
  forgottenName: 'Nome utente o indirizzo e-mail',
  forgottenSend: 'Invia il link',
  forgottenEmpty: 'Inserisci il tuo nome utente o indirizzo e-mail.',
  forgottenSentTitle: 'Guarda la tua posta',
  forgottenSentText:
    'Se esiste un account per {name}, un link è in arrivo al suo indirizzo e-mail. Vale 15 minuti.',
  forgottenHandText:
    'Qui non vengono inviate e-mail. Chiedi al tuo amministratore un link per impostare una nuova password.',
  forgottenBack: 'Torna all’accesso',
}

/** Texts of the pages of links, and of the page for a forgotten password. */
export const linkWords = { en, de, es, fr, it }
