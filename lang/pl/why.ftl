# Dlaczego posunięcie jest nieprawidłowe. Zdania bez kropki; po nich następuje artykuł Przepisów.

why-no-piece = na polu { $square } nie było bierki, którą można by wykonać posunięcie
why-not-his-piece = { $piece } na { $square } należy do przeciwnika ({ $foe })
why-not-his-turn = na posunięciu były { $foe }, a zagrały { $by }
why-twice = { $by } wykonały dwa posunięcia z rzędu; na posunięciu były { $foe }
why-own-piece-there = pole { $square } było zajęte przez własną bierkę: { $piece }
why-captures-king = zbito króla na { $square }; króla bić nie wolno
why-does-not-go-there = { $piece } nie porusza się z { $from } na { $to }
why-blocked = { $blocker } na { $square } stoi na drodze { $piece-gen } z { $from } na { $to }
why-nothing-to-capture = pion poszedł na ukos na { $square }, gdzie nie było czego bić, także w przelocie
why-not-promoted = pion doszedł na { $square }, a zegar przełączono przed zamianą piona na figurę
why-nothing-to-promote = to, co stanęło na { $square }, zamieniono na inną figurę; zamienia się tylko piona na ostatniej linii
why-promoted-to = piona na { $square } nie można zamienić na { $piece-acc }
why-king-into-check = król wszedł na { $square } pod szach: to pole atakuje { $attacker } z { $at }
why-king-left-in-check = król na { $square } pozostał w szachu: szachuje go { $attacker } z { $at }
why-pinned = { $piece } na { $square } { $piece-gender ->
    [f] jest związana
   *[m] jest związany
}: po tym ruchu króla na { $king } szachuje { $attacker } z { $at }
why-castling-king-moved = roszada na { $to } nie była już możliwa: król wykonał już ruch, { $move }
why-castling-rook-moved = roszada na { $to } nie była już możliwa: wieża wykonała już ruch, { $move }
why-castling-rook-captured = roszada na { $to } nie była już możliwa: wieża została zbita, { $move }
why-castling-no-right = roszada na { $to } nie jest możliwa: w tej pozycji nie ma do niej prawa
why-rook-not-moved = król przeszedł dwa pola jak przy roszadzie, a wieża została na { $square }; należy ustalić, czy roszady po prostu nie dokończono
why-captured-pawn-stays = pion zbity w przelocie nadal stoi na { $square }
why-took-off = { $piece } z { $square } { $piece-gender ->
    [f] została zdjęta z szachownicy, a posunięcie jej
   *[m] został zdjęty z szachownicy, a posunięcie go
} nie bije
why-castling-blocked = w roszadzie przeszkadza { $blocker } na { $square }
why-castling-out-of-check = roszada spod szacha: króla na { $square } { $attacker-gender ->
    [f] szachowała
   *[m] szachował
} { $attacker } z { $at }
why-castling-through-check = roszada przez atakowane pole: król przeszedł przez { $square }, które atakuje { $attacker } z { $at }
why-castling-into-check = roszada pod szach: pole { $square } atakuje { $attacker } z { $at }
