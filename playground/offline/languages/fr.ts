// The words and answers in French. See `en.ts` for the form.
const common = `
_: un, une, le, la, les, l, de, du, des, d, s il vous plaît, s il te plaît, svp, stp, je, j, nous, vous, tu, moi, me, m,
 te, t, voudrais, voudrait, voudrions, aimerais, aimerions, veux, voulons, peux, pouvez, pourriez, pourrais, pouvons,
 puis je, peut, souhaite, souhaiterais, souhaitons, au, aux, ce, cet, cette, c, est, qu, suis, être, sera, serait, mon,
 ma, mes, notre, nos, votre, vos, ton, ta, avec, sur, alors, aussi, bien, ok, d accord, merci de, besoin, ai, avons, il,
 elle, on, en fait, désolé, pardon, excusez moi, y, que, juste, très, y a t, faut, vers le, bon, maintenant, s, qui,
 faire, ça, si possible, comme, sont, êtes, donc, eh bien, finalement je, voilà, quelque chose pour, on aimerait, même,
 déjà, ils, elles, ou bien; hello: bonjour, bonsoir, salut, coucou, bonne journée, allô, hello, re bonjour; thanks:
 merci, merci beaucoup, grand merci; help: que sais tu faire, que savez vous faire, aide, aidez moi, que peux tu faire,
 que pouvez vous faire, qui es tu, qui êtes vous, qu est ce que tu sais faire, comment ça marche, es tu un robot; undo:
 annule ça, annuler ça, annulez ça, annule cela, annulez cela, défaire, reviens en arrière, revenir en arrière, annule
 la dernière action, annuler la dernière modification; not: ne, n, pas, non, sans, jamais, aucun, aucune, sauf, rien, au
 lieu de, plutôt que, à la place de, plus besoin de; all: tout, tous, toute, toutes, chaque; only: seulement,
 uniquement, que les; it: celui ci, celle ci, ceux ci, celui là, le même; q: ?; have: il y a, avez vous, vous avez, y a
 t il, vendez vous, vous vendez, proposez vous, as tu, tu as, reste, vous avez quoi, auriez vous, y aurait il; and: et,
 plus, ainsi que, &; in: dans, en; for: pour; attime: à, vers, aux environs de, environ; from: depuis, à partir de, à
 partir du; people: personne*, convives, invités, adultes, enfants, couverts, gens; weare: on est, nous serons, on sera,
 on serait, nous serions, sommes; party=2: en amoureux, à deux, nous deux, ma femme et moi, mon mari et moi, mon copain
 et moi, ma copine et moi; num=1: une personne; num=2: deux, une paire de; num=3: trois; num=4: quatre; num=5: cinq;
 num=6: six; num=7: sept; num=8: huit; num=9: neuf; num=10: dix; num=11: onze; num=12: douze, une douzaine de; num=20:
 vingt; nth=1: premi*, premières; nth=2: deuxième, second*; nth=3: troisième; nth=-1: derni*; day=0: aujourd hui;
 day=0+part=evening: ce soir; day=0+clock=12:00: ce midi; day=1: demain; day=2: après demain; next: prochain, prochaine;
 days: jours, jour; weeks: semaines, semaine; part=morning: matin; clock=12:00: midi, à midi; part=afternoon: après
 midi; part=evening: soir, en soirée, soirée; oclock: heures, heure; shift=30: et demie, et demi; shift=15: et quart;
 shift=-15: moins le quart, moins quart; euro: euro, euros, eur, €; under: moins de, à moins de, moins que, au plus,
 maximum, sous, en dessous de, inférieur à; best=low: moins cher, moins chère*, moins chers; best=high: plus cher, plus
 chère*, plus chers; instead: plutôt, finalement, à la place; nameis: je m appelle, nom est, je me nomme; lastis: au nom
 de, sous le nom; change: change*, mets, mettez, mettre, modifie*, marque*, passe*, déplace*; remove: enleve*, retire*,
 ôte, ôtez, supprime*, efface*, annule la, oublie*, laisse tomber, sors, sortez; clear: vide, videz, vider,
 réinitialise*; show: montre*, affiche*, cherche*, trouve*, voir, liste, dis, dites, donne*, fais voir, faites voir;
 what: quel, quelle, quels, quelles, quoi, qu est ce qu, qu est ce que, qu est ce qui; howmany: combien de, nombre de,
 combien d, combien y a t il de; when: quand, à quelle heure, quels jours, quel jour; howmuch: combien, combien coûte,
 combien coûtent, coûte, coûtent, prix, quel est le prix, payer, dois; private: mot de passe, carte bancaire, carte de
 crédit
`
const booking = `
table: table, tables, réservation, place, places, dîner, déjeuner, manger; book: réserv*, prendre, venons, viendrons,
 viens, venir; free: libre*, disponible, disponibles, de la place, disponibilité, disponibilités; open: ouvert*, ouvrez,
 fermé*, horaires, horaires d ouverture, ouvre, fermeture; submit: envoie, envoyez, envoyer, confirme*, valide*, envoie
 la réservation, envoyez la réservation, confirmez la réservation, valide la réservation, valider la réservation;
 filled: qu as tu rempli, qu avez vous rempli, jusqu ici; seating=Dining room: salle, en salle, à l intérieur,
 intérieur, dedans; seating=Terrace: terrasse, en terrasse, dehors, à l extérieur, extérieur; seating=At the bar: bar,
 comptoir; occasion=Birthday: anniversaire; occasion=Anniversary: anniversaire de mariage; diet=Vegetarian: végétarien*;
 diet=Vegan: végan*, végétalien*; diet=Gluten-free: sans gluten, cœliaque, coeliaque; diet=Halal: halal; diet=Kosher:
 casher, kasher; check=High chair: chaise haute, chaise bébé, siège bébé; check=Step-free way to the table: fauteuil
 roulant, en fauteuil roulant, accès sans marche, accès handicapé, sans marches; allergy: allergique, allergique à,
 allergie, allergie à, allergies, intolérant*, intolérant* au, ne mange pas, ne supporte pas; food: crustacés, fruits de
 mer, noix, cacahuètes, arachides, poisson, œufs, oeufs, lait, soja, sésame, porc, champignons, oignons, ail, céleri,
 blé, alcool, moutarde, viande, gluten, lactose, fruits à coque; wish: fenêtre, près de la fenêtre, à côté de la
 fenêtre, au calme, coin tranquille, table calme, un endroit calme; sit: assis, asseoir, installés; who_: mère, maman,
 père, papa, femme, mari, ami, amie, sœur, soeur, frère, fils, fille, un de nous, une personne, fêtons, fêter, quelqu
 un, l un des invités; f=date: date; f=time: heure, horaire; f=guests: nombre de personnes, nombre de convives; f=name:
 nom; f=email: e mail, email, mail, adresse mail, adresse e mail, courriel, adresse email, adresse; f=phone: téléphone,
 numéro, numéro de téléphone, portable, mobile, rappelez moi au, tél; f=notes: note, remarque, souhait; later=60: une
 heure plus tard, 1 heure plus tard; later=-60: une heure plus tôt, 1 heure plus tôt; later=30: une demi heure plus
 tard; later=-30: une demi heure plus tôt; later=15: un quart d heure plus tard; diet=Lactose-free: sans lactose,
 intolérant* au lactose, intolérance au lactose; occasion=Family dinner: repas de famille, dîner de famille;
 occasion=Team dinner: repas d équipe; occasion=Client lunch: déjeuner d affaires
`
const shop = `
cart: panier, caddie; add: ajoute*, mets, mettez, mettre, achète*, prends, prendre, rajoute*, commander, commande,
 donnez moi, donne moi, il me faut; stock: en stock, stock, disponible, disponibles, disponibilité; delivery: livraison,
 livrer, livré, livrée, livrez, arrive, arriver, envoyer; howlong: combien de temps, quel délai, prend, dure, temps,
 délai, faut il; coupon: code, code promo, bon de réduction, coupon, bon; fromcart: du panier, de mon panier, du caddie;
 apply: applique*, utilise*, active; remember: j habite à, j habite, nous habitons à, retiens, souviens toi, je vis à;
 total: total, ensemble, en tout, somme; product: produit*, article*, chose*, quelque chose, quoi; contents: contenu,
 contient; count: pièce*, de plus, exemplaires, paquet*, boîte*, quantité; category=pots: théière*; category=cups:
 tasse*, gobelet*, mug, mugs; category=kettles: bouilloire*; category=tea: thé, thés; category=extras: accessoire*;
 product_=pot-kyoto: théière* kyoto, théière* en fonte, théière* de kyoto; product_=pot-betty: théière* brown betty,
 théière* en terre cuite, théière* en argile; product_=pot-glass: théière* en verre, théière* de verre, théière* glass;
 product_=cup-celadon: tasse* céladon, tasse* en céladon, tasse* en grès; product_=cup-travel: tasse* de voyage,
 gobelet* de voyage, mug* de voyage, tasse* travel; product_=kettle-goose: bouilloire* à col de cygne, bouilloire* col
 de cygne, col de cygne, bouilloire* électrique*; product_=kettle-hob: bouilloire* émaillée*, bouilloire* en émail,
 bouilloire* de cuisinière, bouilloire* hob; product_=tea-sencha: thé* vert*, thé* vert* sencha, thé* sencha;
 product_=tea-assam: thé* noir*, thé* noir* assam, thé* assam, thé* noir* d assam; product_=tea-mint: menthe, menthe
 marocaine, thé* à la menthe, menthe du maroc, thé* à la menthe marocaine; product_=whisk-matcha: fouet*, fouet* en
 bambou, fouet* à matcha, fouet* de bambou; product_=sieve-fine: passoire*, passoire* à thé, passoire* fine*, passoire*
 à thé fine*, filtre* à thé; num=1+count: encore un, encore une, un de plus, une de plus, un autre, une autre
`
const orders = `
orders: commande, commandes, liste, tableau, celles, celles ci; late: en retard, retard*, tardives; status=New:
 nouvelle*, nouveau; status=Packed: emballé*, préparé*; status=Shipped: expédiée*, envoyée*, envoyé; status=Delivered:
 livrée, livrées, livré; status=Cancelled: annulée*; cancelorder: annule, annulez, annuler; change+status=Shipped:
 expédie, expédiez, expédier; filters: filtre*; sort: trie, triez, trier, trie par, triez par, trier par, classe*, par,
 ordonne, en haut, en premier, tout en haut; col=Order: numéro, numéro de commande; col=Customer: client*, nom du
 client; col=Ordered: date, date de commande; col=Ship by: date d expédition, date d envoi; col=Total: total, montant,
 somme, prix; col=Status: statut, état; asc: croissant, ordre croissant, du plus petit au plus grand; desc: décroissant,
 ordre décroissant, du plus grand au plus petit, du plus élevé au plus bas; nextpage: page suivante, à la page suivante,
 va à la page suivante, prochaine page; prevpage: page précédente, à la page précédente; open: ouvre*, ouvrir, détails;
 note: note, remarque, note à, écris, ajoute une note à, ajoutez une note à, ajouter une note à; best=high: plus grosse,
 plus grosses, plus élevée, plus grande, plus gros; best=low: plus petite
`
const answers = `
offers_booking: Une table pour 4 vendredi à 19h30 en terrasse / Une table est-elle libre samedi pour 6 personnes ? /
 Qu’avez-vous rempli ? ¦ offers_shop: Montre la théière la moins chère / Ajoute deux tasses céladon au panier / Montre
 mon panier ¦ offers_orders: Affiche seulement les commandes en retard / Trie par total décroissant / Marque la commande
 4148 comme emballée ¦ hello: Bonjour ! Je suis le modèle hors ligne : des règles fixes, pas un modèle de langage. Je
 n’agis que si je comprends chaque mot. ¦ can_booking: Sur cette page d’un restaurant, je cherche des tables libres et
 je remplis le formulaire. C’est vous qui l’envoyez. ¦ can_shop: Dans cette boutique de thé, je trouve des produits, je
 change le panier et je donne le stock et les délais de livraison. ¦ can_orders: Dans cette liste de commandes, je
 filtre, je trie et j’ouvre des commandes, et je change leur statut. ¦ try: Vous pouvez dire, par exemple : ¦ unknown:
 Je n’ai pas compris {0}, je n’ai donc rien fait. ¦ known: J’ai compris {0}. ¦ together: Je connais ces mots, mais pas
 ce qu’ils demandent ensemble, je n’ai donc rien fait : {0}. ¦ real: Un vrai modèle comprend plus de choses.
 Choisissez-en un en haut, sous « Offline model ». ¦ server: Un vrai modèle comprend plus de choses : donnez
 MODEL_ENDPOINT et MODEL_API_KEY à ce serveur et redémarrez-le. ¦ filled: Rempli : {0}. ¦ refused: {0} n’a pas été
 accepté : {1}. ¦ missing: Il manque encore : {0}. ¦ submit: Rien n’a été envoyé. Vérifiez, puis appuyez vous-même sur «
 {0} ». ¦ hand: Je ne peux pas le faire pour vous. Appuyez vous-même sur « {0} ». ¦ private: Je ne remplis jamais les
 mots de passe, cartes et codes. Saisissez-les vous-même. ¦ took: J’ai compris « {0} » comme {1}. ¦ day: « {0} » peut
 être {1} ou {2}. Quel jour voulez-vous dire ? ¦ time: À quelle heure exactement ? ¦ name: Je ne distingue pas le prénom
 du nom dans « {0} ». Écrivez « First name: …, Last name: … ». ¦ which: Lequel voulez-vous dire : {0} ? ¦ says: La page
 dit : « {0} » ¦ nofield: Il n’y a pas de champ « {0} » sur cette page. ¦ nothing: Je n’ai rien trouvé. ¦ cart: Dans le
 panier : {0}. Total : {1}. ¦ empty: Le panier est vide. ¦ added: Mis dans le panier : {0}. ¦ now: {0} : {1} maintenant,
 {2} avant. ¦ emptied: Le panier est vide maintenant. Enlevé : {0}. ¦ stock: {0} : {1} en stock. ¦ delivery: La
 livraison à {0} prend {1} jours ouvrés et arrive le {2}. ¦ coupon: Code {0} : {1} % de remise. Le total est de {2}. ¦
 place: {0} est retenu pour les livraisons. ¦ failed: Cela n’a pas marché : {0} ¦ denied: Vous ne l’avez pas permis, je
 ne l’ai donc pas fait. ¦ moved: Vous avez continué sans répondre, je ne l’ai donc pas fait. ¦ stopped: C’est arrêté. ¦
 left: La page a été quittée avant une réponse. ¦ unsure: Cela a pu se faire quand même, vérifiez s’il vous plaît. ¦
 retried: Le premier essai a échoué, le second a réussi. ¦ elsewhere: Je ne peux pas le faire sur cette page. Une autre
 page le peut peut-être : {0} ¦ steps: Les {0} étapes sont faites. ¦ some: {0} étapes sur {1} sont faites. ¦ open:
 laissé ouvert ¦ undone: Je l’ai annulé. ¦ noundo: Il n’y a rien que je puisse annuler. ¦ already: C’est déjà le cas. ¦
 thanks: Je vous en prie. ¦ filters: Filtres : {0}. ¦ counted: Avec {0}, la page dit : « {1} ». Les filtres sont comme
 avant. ¦ nofilter: Aucun filtre n’est actif. ¦ noorder: Je ne vois pas de commande {0}. ¦ opened: La commande {0} est
 ouverte. ¦ unclear: J’ai appuyé, mais je n’ai vu aucun message de la page. Vérifiez s’il vous plaît. ¦ languages: Je
 comprends le français, l’anglais, l’allemand, l’espagnol, le chinois, le japonais et l’arabe.
`

export const french = { words: { common, booking, shop, orders, page: '' }, answers }
