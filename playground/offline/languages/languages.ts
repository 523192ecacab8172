// The seven languages of the panel, and the names that are the same in each.
import { arabic } from './ar.js'
import { chinese } from './zh.js'
import { english } from './en.js'
import { french } from './fr.js'
import { german } from './de.js'
import { japanese } from './ja.js'
import { spanish } from './es.js'

/** Words of a demo, or of any other page. */
export type Section = 'booking' | 'shop' | 'orders' | 'page'

export const languages = {
  en: english,
  de: german,
  fr: french,
  es: spanish,
  zh: chinese,
  ja: japanese,
  ar: arabic,
} as const
export type Language = keyof typeof languages

/** Places, customers and products. */
export const shared = `
product_=pot-kyoto: kyoto, kyoto teapot*, cast iron teapot*, iron teapot*; product_=pot-betty: brown betty, brown betty
 teapot*, betty teapot*, clay teapot*, red clay teapot*, betty; product_=pot-glass: glass teapot*, glass pot*;
 product_=cup-celadon: celadon, celadon cup*, stoneware cup*; product_=cup-travel: travel cup*, travel mug*, steel cup*;
 product_=kettle-goose: gooseneck, gooseneck kettle*, electric kettle*; product_=kettle-hob: hob kettle*, enamel
 kettle*, hob; product_=tea-sencha: sencha, sencha green tea*, green tea*, sencha tea*; product_=tea-assam: assam, assam
 black tea*, black tea*, assam tea*; product_=tea-mint: moroccan mint, moroccan mint tea*, mint tea*, mint;
 product_=whisk-matcha: bamboo whisk*, whisk*, matcha whisk*; product_=sieve-fine: fine tea sieve*, tea sieve*, sieve*,
 strainer*, tea strainer*; customer=Hanse Gardens: hanse gardens; customer=Hanse Hotel: hanse hotel; customer=Hanse:
 hanse; customer=Villa Rosa: villa rosa; customer=Studio Brandt: studio brandt; customer=Green Room: the green room,
 green room; customer=Jardins du Lac: jardins du lac; customer=Nordlys Hotel: nordlys hotel, nordlys; customer=Parkside
 School: parkside school, parkside; customer=Atelier Moreau: atelier moreau; customer=Casa Verde: casa verde;
 customer=Kew Terrace: kew terrace café, kew terrace; place=Hamburg: hamburg, hambourg, hamburgo, 汉堡, ハンブルク, هامبورغ;
 place=Florence: florence, florenz, firenze, florencia, 佛罗伦萨, フィレンツェ, فلورنسا; place=Berlin: berlin, 柏林, ベルリン, برلين;
 place=Leeds: leeds, 利兹, リーズ, ليدز; place=Annecy: annecy, 阿讷西, アヌシー, أنسي; place=Bergen: bergen, 卑尔根, ベルゲン, بيرغن;
 place=Lübeck: lübeck, luebeck, 吕贝克, リューベック, لوبيك; place=Bristol: bristol, 布里斯托尔, ブリストル, بريستول; place=Lyon: lyon,
 lyons, 里昂, リヨン, ليون; place=Porto: porto, oporto, 波尔图, ポルト, بورتو; place=London: london, londres, 伦敦, ロンドン, لندن;
 place=Munich: munich, münchen, múnich, 慕尼黑, ミュンヘン, ميونخ; place=Vienna: vienna, wien, vienne, viena, 维也纳, ウィーン, فيينا;
 place=Paris: paris, 巴黎, パリ, باريس; place=Madrid: madrid, 马德里, マドリード, مدريد; place=Cologne: cologne, köln, colonia;
 place=Zurich: zurich, zürich; place=Geneva: geneva, genf, genève, ginebra; place=Rome: rome, rom, roma, 罗马, ローマ, روما;
 place=Lisbon: lisbon, lissabon, lisbonne, lisboa; place=Brussels: brussels, brüssel, bruxelles, bruselas; place=New
 York: new york, nueva york, 纽约, ニューヨーク, نيويورك; place=Tokyo: tokyo, tokio, 东京, 東京, طوكيو; place=Osaka: osaka, 大阪;
 place=Shanghai: shanghai, schanghai, 上海; place=Beijing: beijing, peking, pékin, pekín, 北京; place=Cairo: cairo, kairo,
 le caire, el cairo, القاهرة; place=Dubai: dubai, dubái, دبي; place=Beirut: beirut, beyrouth, بيروت; place=Marseille:
 marseille, marsella; place=Barcelona: barcelona, barcelone; place=Milan: milan, mailand, milán, milano;
 place=Amsterdam: amsterdam; place=Dublin: dublin; place=Bremen: bremen; place=Dresden: dresden; place=Leipzig: leipzig;
 place=Stuttgart: stuttgart; place=Toulouse: toulouse; place=Oslo: oslo; place=Valencia: valencia; prop=glass: glass,
 glas, verre, vidrio, cristal, 玻璃, ガラス, زجاج, زجاجي; prop=steel: steel, stainless steel, stahl, edelstahl, acier, inox,
 acero, acero inoxidable, 不锈钢, 钢, ステンレス, スチール, فولاذ, ستانلس; prop=iron: iron, cast iron, eisen, gusseisen, gusseisern*,
 fonte, fer, hierro, 铁, 铸铁, 鉄, 鋳鉄, حديد; prop=clay: clay, ton, argile, terre cuite, barro, arcilla, 陶, 陶土, 陶器, فخار;
 prop=bamboo: bamboo, bambus, bambou, bambú, 竹, 竹子, خيزران; prop=electric: electric, elektrisch*, électrique*,
 eléctric*, 电, 电的, 電気, 电动, كهربائي; prop=whistle: whistle, whistles, whistling, pfeift, pfeife, siffle, sifflet, silba,
 silbato; prop=matcha: matcha, 抹茶, ماتشا; prop=enamel: enamel, emaille, émail, esmalte, 搪瓷, ホーロー, مينا; prop=hand:
 handmade, hand made, handgemacht*, fait main, hecho a mano, 手工, 手作り
`
