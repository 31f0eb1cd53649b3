/**
 * Words that well-known lists of leaked passwords share, written down by hand. `common-passwords.ts` makes the list of
 * 10,000 from them.
 */
export const STEMS: readonly string[] = `
password passwort motdepasse contrasena contraseña senha parola haslo salasana wachtwoord heslo jelszo
lozinka sifre passw0rd pass password1 password123 passwd passphrase mypassword thepassword newpassword
yourpassword nopassword admin administrator root superuser user username guest test tester testing demo
default changeme changeit letmein letmeinnow openup opensesame welcome welcomeback hello helloworld hallo
bonjour ciao hola master secret topsecret supersecret private access login signin enter qwerty qwertyuiop
qwerty123 qwert asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc azerty qwertz iloveyou iloveu
ilovegod ilovejesus loveme lovely lover loveyou loveforever tiamo teamo jetaime ichliebedich mylove
truelove trustno1 trustnoone monkey dragon tiger lion panther eagle falcon hawk wolf bear shark dolphin
horse mustang pony kitty kitten cat dog doggy puppy bunny rabbit turtle spider snake cobra viper phoenix
unicorn butterfly ladybug chicken turkey penguin elephant cheetah jaguar gorilla donkey buffalo bulldog
football baseball basketball soccer hockey tennis golf golfer volleyball softball cricket rugby fishing
hunting swimming skateboard snowboard surfing karate boxing wrestling arsenal chelsea liverpool
manchester barcelona realmadrid juventus milan bayern dortmund celtic rangers everton tottenham yankees
lakers cowboys steelers eagles redsox dodgers packers raiders broncos bulls celtics warriors patriots
giants superman batman spiderman ironman wonderwoman captain avengers hulk wolverine deadpool joker robin
thor starwars startrek skywalker darthvader yoda jedi hansolo chewbacca princess queen king prince knight
wizard merlin gandalf frodo hobbit harrypotter hermione hogwarts dumbledore pokemon pikachu charizard
mario luigi zelda sonic minecraft fortnite roblox warcraft starcraft counterstrike callofduty halo doom
quake finalfantasy naruto sasuke goku dragonball onepiece sailormoon sunshine moonlight starlight rainbow
summer winter spring autumn sunflower flower rose daisy lily jasmine orchid cherry peach apple banana
orange strawberry blueberry chocolate cookie candy sugar honey cupcake muffin pizza burger cheese coffee
pepper ginger cinnamon vanilla january february march april may june july august september october
november december monday tuesday wednesday thursday friday saturday sunday london paris berlin munich
hamburg vienna madrid rome lisbon moscow newyork california florida texas chicago boston dallas houston
america england france germany italy spain russia canada australia brazil mexico india japan china korea
michael jennifer jessica ashley amanda michelle nicole daniel matthew joshua andrew anthony robert
william thomas charles george harry jack oliver james jordan taylor hannah emily sophia olivia charlotte
elizabeth victoria alexander benjamin samuel nicholas christopher jonathan patrick steven richard brandon
justin kevin brian eric ryan tyler austin dylan logan maria carlos jose juan pedro miguel antonio
francisco alejandro fernando sofia valentina isabella gabriela daniela andrea natalia stefan andreas
sebastian florian tobias markus martin christian julia laura sarah lisa anna lena ferrari porsche
mercedes lamborghini corvette camaro toyota honda nissan subaru yamaha kawasaki suzuki ducati harley
harleydavidson chevrolet google facebook youtube instagram twitter whatsapp snapchat tiktok amazon
netflix spotify microsoft windows samsung android iphone nokia internet computer laptop keyboard network
server database system software developer programmer hacker matrix cyber security oracle postgres mysql
redis docker kubernetes jenkins gitlab github jira confluence wordpress joomla cisco ubuntu debian linux
company business office manager employee support service helpdesk temporary temppass temp newuser student
teacher school university college freedom liberty justice victory glory honor courage legend hero
champion winner success money dollar million rich lucky heaven angel angels jesus jesuschrist christ god
godisgood blessed faith hope grace church bible amen buddha allah family mother father mommy daddy
brother sister grandma grandpa baby babygirl babyboy husband wife friend friends bestfriend friendship
beautiful gorgeous sexy hotgirl hottie cutie sweetie sweetheart darling handsome pretty precious
metallica nirvana slipknot linkinpark greenday blink182 acdc ironmaiden ledzeppelin pinkfloyd beatles
rollingstones eminem tupac rihanna beyonce guitar piano drummer music musician rockstar rocknroll dancer
dance singer killer death devil demon satan hell vampire zombie ghost monster shadow darkness darkangel
nightmare hunter sniper ninja samurai pirate assassin purple yellow green blue red black white pink
silver gold golden diamond crystal emerald thunder lightning storm hurricane tornado blizzard fire flame
ocean river mountain forest earth galaxy universe cosmos planet jupiter saturn mercury neptune whatever
nothing something anything nobody somebody everything forever always never idontknow dontforget forgetit
remember correcthorsebatterystaple thisismypassword iforgotmypassword mypasswordis passwordpassword
letmeinplease ineedapassword loupe project agent review
`
  .trim()
  .split(/\s+/);
